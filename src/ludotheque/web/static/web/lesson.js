// A task of a lesson: the visitor tries moves by hand, the lesson answers, and after the right one it goes on.

import { finish, pause, seek } from "./animate.js";
import { Drag } from "./drag.js";
import { byId, clearTypedMove, csrfToken, fetchReason, initialState, say } from "./page.js";
import { Picker } from "./picker.js";
import { redraw } from "./redraw.js";
import { chosenPace, Story } from "./story.js";

/** @import { WireMove } from "./selection.js" */
/** @import { Beat, ToldScene } from "./story.js" */

/** @type {{ moves: WireMove[], stuck: string[] }} */
const { moves, stuck } = initialState();
const board = byId("board");
const answer = byId("answer");
const picker = new Picker(board, byId("bar"), {
  say,
  play: attempt,
  mustConfirm: () => false,
  fetchGhost: async (move) => {
    const reply = await fetch(`${location.pathname}?${new URLSearchParams({ ghost: move })}`);
    return reply.status === 200 ? reply.text() : "";
  },
  fetchReason: (...question) => fetchReason("?why", ...question),
});
new Drag(picker);
picker.set(moves, [], stuck);
document.getElementById("hand")?.toggleAttribute("hidden", false);

let onTold = () => {};
const story = new Story({
  pace: chosenPace,
  begin: ({ picture, beats }, starts) => redraw(board, picture, beats, starts),
  tell,
  end: finish,
  seek,
  pause,
  hold: (held) => held || onTold(),
});
story.goOnBy(board);

/** @param {string} move */
async function attempt(move) {
  const headers = { Accept: "application/json", "X-CSRFToken": csrfToken() };
  const reply = await fetch(location.pathname, { method: "POST", headers, body: new URLSearchParams({ move }) });
  if (!reply.ok) return location.reload();
  const { verdict, say: sentence, story: scenes } = await reply.json();
  if (verdict === "right") return goOn(sentence, scenes);
  picker.set(moves, [], stuck);
  show(sentence);
}

/** Say something beside the board. @param {string} html  our own Markdown, rendered by the server */
function show(html) {
  answer.hidden = false;
  answer.innerHTML = html;
  byId("hand").hidden = true;
  answer.scrollIntoView({ block: "nearest" });
}

/**
 * Tell what happens after the right move, then say why it was right, and lead on.
 * @param {string} sentence
 * @param {ToldScene[]} scenes
 */
function goOn(sentence, scenes) {
  picker.set([], []);
  byId("by-words").remove();
  onTold = () => {
    answer.classList.add("right");
    show(sentence);
    const next = byId("next");
    next.hidden = false;
    next.scrollIntoView({ block: "nearest" });
    /** @type {HTMLElement | null} */ (next.querySelector("a, button"))?.focus({ preventScroll: true });
  };
  if (scenes.length) story.add(scenes.map((scene) => ({ ...scene, holds: true, own: false, screen: null })));
  else onTold();
}

/** @param {Beat} beat */
function tell({ say: sentence }) {
  if (!sentence) return;
  answer.textContent = sentence;
  answer.hidden = false;
  byId("hand").hidden = true;
}

document.getElementById("typed")?.addEventListener("submit", (event) => {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  attempt(String(new FormData(form).get("move")));
  clearTypedMove(form);
});
