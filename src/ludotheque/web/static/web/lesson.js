// A task of a lesson: the visitor tries moves, the lesson answers, and after the right one it goes on.

import { byId, csrfToken, initialState, say } from "./page.js";
import { Picker } from "./picker.js";
import { redraw } from "./redraw.js";

/** @import { WireMove } from "./selection.js" */

/** @type {{ moves: WireMove[] }} */
const { moves } = initialState();
const picker = new Picker(byId("board"), byId("bar"), {
  say,
  play: attempt,
  mustConfirm: () => false,
  fetchGhost: async () => "",
});
picker.set(moves, []);
document.getElementById("by-hand")?.toggleAttribute("hidden", false);

/** @param {string} move */
async function attempt(move) {
  const headers = { Accept: "application/json", "X-CSRFToken": csrfToken() };
  const reply = await fetch(location.pathname, { method: "POST", headers, body: new URLSearchParams({ move }) });
  if (reply.ok) show(await reply.json());
  else location.reload();
}

/** @param {{ verdict: string, say: string, html: string }} answer */
function show({ verdict, say: sentence, html }) {
  const isRight = verdict === "right";
  const answer = byId("answer");
  answer.hidden = false;
  answer.classList.toggle("right", isRight);
  answer.innerHTML = sentence; // our own Markdown, rendered by the server
  if (isRight) {
    picker.clear();
    redraw(byId("board"), html);
  }
  picker.set(isRight ? [] : moves, []);
  byId("next").hidden = !isRight;
  answer.scrollIntoView({ block: "nearest" });
  if (isRight) byId("next").querySelector("a")?.focus();
}

document.getElementById("typed")?.addEventListener("submit", (event) => {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  const field = /** @type {HTMLInputElement} */ (form.elements.namedItem("move"));
  attempt(field.value);
  field.value = "";
});
