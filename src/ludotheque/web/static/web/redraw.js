// Replaces the picture on a board, and shows the way from the old one to the new one.

import { animate, capture } from "./animate.js";
import { morph } from "./morph.js";

/** @import { Beat } from "./story.js" */

/**
 * @param {HTMLElement} board
 * @param {string} html  from the server
 * @param {Beat[]} [beats]
 * @param {number[]} [starts]  of the beats, and their end
 */
export function redraw(board, html, beats = [], starts = []) {
  const before = capture(board.querySelector("svg"));
  const fresh = /** @type {HTMLElement} */ (board.cloneNode(false));
  fresh.innerHTML = html;
  morph(board, fresh);
  animate(board.querySelector("svg"), before, beats, starts, starts[beats.length - 1]);
}
