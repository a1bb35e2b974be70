// A puzzle's page: sends the solver's commands and shows the server's answers.

import { animate, capture } from "./animate.js";
import { Clock } from "./clock.js";
import { Drag } from "./drag.js";
import { morph } from "./morph.js";
import {
  byId,
  clearTypedMove,
  closest,
  commandOf,
  csrfToken,
  delay,
  fetchReason,
  initialState,
  reveal,
  say,
  showFullAddress,
} from "./page.js";
import { Pencil } from "./pencil.js";
import { Picker } from "./picker.js";
import { tipsFor } from "./tips.js";

/** @import { Command } from "./connection.js" */
/** @import { WireMove } from "./selection.js" */

/**
 * @typedef {object} PuzzleScreen
 * @property {number} version
 * @property {string} [html]
 * @property {WireMove[]} moves
 * @property {string[]} stuck  ids of what fits nowhere now
 * @property {string[]} last
 * @property {string} suggest  a move to show as chosen
 * @property {number} seconds
 * @property {boolean} running
 */

const HINTS = ["where", "why", "lay"];
const RESEND_MS = { first: 500, most: 8000 };

const root = byId("table");
/** @type {PuzzleScreen} */
let state = initialState();
let isSending = false;

const clock = new Clock(byId("time"), {
  onStop: (spent) => post({ do: "pause", version: state.version, spent }, true).catch(() => null),
  onPause: showPaused,
});
const picker = new Picker(byId("board"), byId("bar"), {
  say,
  play: (move) => send({ do: "move", move }),
  mustConfirm: () => false,
  fetchGhost: async (move) => {
    const reply = await fetch(`${location.pathname}?${new URLSearchParams({ ghost: move })}`);
    return reply.status === 200 ? reply.text() : "";
  },
  fetchReason: (...question) => fetchReason("?why", ...question),
});
new Drag(picker);
const pencil = new Pencil(byId("board"), { onMark: (marks) => send({ do: "mark", marks }), onPiece: showPencil });
tipsFor(root);

enhance();
offerMoves();
setClock();

/** Nothing can be picked while the clock stands still or the pencil is in hand. */
function offerMoves() {
  const none = clock.paused || pencil.isOn;
  if (none) picker.set([], []);
  else picker.set(state.moves, state.last, state.stuck);
  pencil.show();
}

/** @param {string} piece  the one that is ruled out */
function showPencil(piece) {
  const line = byId("pencil-line");
  line.hidden = !pencil.isOn;
  line.textContent = piece ? say("pencilPiece").replace("{piece}", piece) : say("pencil");
  byId("pencil").setAttribute("aria-pressed", String(pencil.isOn));
}

function setClock() {
  clock.set(state.seconds, state.running);
  byId("pause").hidden = !state.running;
}

/** @param {Command} command */
function post(command, keepalive = false) {
  const headers = { "Content-Type": "application/json", "X-CSRFToken": csrfToken() };
  return fetch(location.pathname, { method: "POST", headers, body: JSON.stringify(command), keepalive });
}

/** Send a command until it gets through, and show the position it led to. @param {Command} command */
async function send(command) {
  if (isSending) return;
  isSending = true;
  byId("mistake").textContent = "";
  if (HINTS.includes(command.do)) byId("said").textContent = say("thinking");
  const message = { version: state.version, spent: clock.seconds, ...command };
  let resent = false;
  for (let wait = RESEND_MS.first; ; wait = Math.min(wait * 2, RESEND_MS.most)) {
    const reply = await post(message).catch(() => null);
    if (reply && (reply.status < 500 || reply.status === 503)) {
      byId("connection-status").textContent = "";
      const answer = await reply.json().catch(() => ({ refused: "…" }));
      // A message that got through, but whose answer did not, is stale when it is sent again.
      if (answer.refused && !(resent && answer.code === "stale")) byId("mistake").textContent = answer.refused;
      isSending = false;
      return show(answer.screen ?? state);
    }
    resent = true;
    byId("connection-status").textContent = say("lost");
    await delay(wait);
  }
}

/** @param {PuzzleScreen} screen */
function show(screen) {
  const board = byId("board");
  if (screen.html) {
    picker.clear();
    const before = capture(board.querySelector("svg"));
    const fresh = /** @type {HTMLElement} */ (root.cloneNode(false));
    fresh.innerHTML = screen.html;
    morph(root, fresh);
    animate(board.querySelector("svg"), before);
    enhance();
  }
  state = screen;
  if (pencil.isOn && !document.getElementById("pencil")) pencil.toggle();
  offerMoves();
  if (state.suggest && !pencil.isOn) picker.suggest(state.suggest);
  document.getElementById("asking")?.querySelector("button")?.focus();
  if (byId("said").textContent?.trim()) byId("said").scrollIntoView({ block: "nearest" });
  setClock();
}

/** What only a page with JavaScript has. */
function enhance() {
  showFullAddress();
  reveal(root, "[data-copy], #hide, #prefs, #pencil, #hide-marks:not([data-none])");
  showHidden();
}

/** The board is hidden while the clock is paused: thinking takes time, too. @param {boolean} paused */
function showPaused(paused) {
  byId("board").classList.toggle("covered", paused);
  byId("paused").hidden = !paused;
  byId("pause").textContent = say(paused ? "resume" : "pause");
  picker.clear();
  offerMoves();
}

/** What the visitor has hidden: the clock, the pencil marks. @param {string} name */
function isHidden(name) {
  return localStorage.getItem(name) === "hidden";
}

/** @param {string} name */
function toggleHidden(name) {
  localStorage.setItem(name, isHidden(name) ? "" : "hidden");
  showHidden();
}

function showHidden() {
  byId("time").classList.toggle("hidden-clock", isHidden("clock"));
  byId("hide").setAttribute("aria-pressed", String(isHidden("clock")));
  byId("board").classList.toggle("hidden-marks", isHidden("marks"));
  byId("hide-marks").setAttribute("aria-pressed", String(isHidden("marks")));
}

root.addEventListener("submit", (event) => {
  const form = closest(event, "[data-do]");
  if (!(form instanceof HTMLFormElement)) return;
  event.preventDefault();
  const command = commandOf(form, event.submitter);
  delete command.csrfmiddlewaretoken;
  delete command.version;
  if (command.do === "move" && !command.move) return;
  send(command);
  clearTypedMove(form);
});

root.addEventListener("click", (event) => {
  if (closest(event, "[data-keys]")) byId("keys", HTMLDialogElement).showModal();
  else if (event.target === byId("pause")) clock.togglePause();
  else if (event.target === byId("hide")) toggleHidden("clock");
  else if (event.target === byId("hide-marks")) toggleHidden("marks");
  else if (closest(event, "#pencil")) {
    if (isHidden("marks")) toggleHidden("marks");
    pencil.toggle();
    picker.clear();
    offerMoves();
  }
});

document.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || closest(event, "input, textarea")) return;
  const key = event.key.toLowerCase();
  const command = key === "y" || (key === "z" && event.shiftKey) ? "redo" : key === "z" ? "undo" : "";
  if (!command || clock.paused) return;
  event.preventDefault();
  send({ do: command });
});
