// One picture turns into another, and shows how.

import { morph } from "./morph.js";
import { after, before } from "./animate.js";

/** Put the picture that the house drew on the board. */
export function redraw(board, html, steps) {
  const seen = before(board.querySelector("svg"));
  const fresh = board.cloneNode(false);
  fresh.innerHTML = html;
  morph(board, fresh);
  after(board.querySelector("svg"), seen, steps);
}
