// A table's page: shows the screens the server sends, and sends the commands of whoever plays.

import { animate, capture } from "./animate.js";
import { TableConnection } from "./connection.js";
import { MatchHistory } from "./history.js";
import { morph } from "./morph.js";
import {
  byId,
  clearTypedMove,
  closest,
  commandOf,
  csrfToken,
  entropy,
  initialState,
  reveal,
  say,
  showFullAddress,
} from "./page.js";
import { Picker } from "./picker.js";
import { preference, setPreference } from "./preferences.js";
import { redraw } from "./redraw.js";
import { playSound } from "./sound.js";

/** @import { Command, Screen } from "./connection.js" */

const root = byId("table");
const table = root.dataset.table ?? "";

// Forms get their CSRF token when they are sent (`addCsrfToken`). Without it the page equals the server's screens, so
// that morphing leaves alone what is being typed.
root.querySelectorAll("[name=csrfmiddlewaretoken]").forEach((field) => field.remove());

/** @type {Screen} */
let state = { ...initialState(), html: root.innerHTML };

const connection = new TableConnection(table, state.version, {
  onScreen: show,
  onStatus: (up) => (byId("connection-status").textContent = up ? "" : say("lost")),
  isUnfolded: () => root.querySelector("#words-table")?.hasAttribute("open") ?? false,
});
const picker = new Picker(byId("board"), byId("bar"), {
  say,
  play: (move) => send({ do: "move", seat: state.seat, move }),
  mustConfirm: () => preference("confirm") === "on",
  fetchGhost: async (move) => {
    const query = new URLSearchParams({ move, seat: String(state.seat) });
    const reply = await fetch(`/t/${table}/ghost?${query}`);
    return reply.ok ? reply.text() : "";
  },
});
const matchHistory = new MatchHistory(byId("history"), { onStep: showStep, onPresent: () => show(state) });

enhance();
scrollLog();
matchHistory.setRange(state.first, state.steps);
const wantedStep = new URLSearchParams(location.search).get("step");
if (wantedStep === null) picker.set(state.moves, state.last);
else matchHistory.goTo(Number(wantedStep));

/** Show a screen. Whoever looks at an earlier position goes on looking at it. @param {Screen} screen */
function show(screen) {
  if (choicesOf(screen) !== choicesOf(state)) byId("hint").textContent = "";
  if (preference("sound") === "on") playSounds(state, screen);
  state = screen;
  picker.clear();
  const board = byId("board");
  const before = capture(board.querySelector("svg"));
  const fresh = /** @type {HTMLElement} */ (root.cloneNode(false));
  fresh.innerHTML = state.html;
  board.toggleAttribute("data-keep", matchHistory.isInPast);
  morph(root, fresh);
  enhance();
  if (!matchHistory.isInPast) animate(board.querySelector("svg"), before, state.motions);
  matchHistory.setRange(state.first, state.steps);
  setMoves();
  scrollLog();
}

/** Moves are played from the present position only. */
function setMoves() {
  if (matchHistory.isInPast) picker.set([], []);
  else picker.set(state.moves, state.last);
}

/**
 * Sounds for a move, the end, or one's turn.
 * @param {Screen} old
 * @param {Screen} now
 */
function playSounds(old, now) {
  if (now.steps > old.steps) playSound(now.taken ? "taken" : "move");
  if (now.over && !old.over) playSound("end");
  else if (now.moves.length && !old.moves.length) playSound("turn");
}

/** Show an earlier position. @param {number} step */
async function showStep(step) {
  const reply = await fetch(`/t/${table}/at/${step}?seat=${state.seat}`);
  if (!reply.ok || matchHistory.step !== step) return;
  picker.clear();
  picker.set([], []);
  byId("board").removeAttribute("data-keep");
  redraw(byId("board"), await reply.text());
  root.querySelectorAll("#log [aria-current]").forEach((line) => line.removeAttribute("aria-current"));
  document.getElementById(`log-${step}`)?.setAttribute("aria-current", "step");
}

/** @param {Command} command */
async function send(command) {
  byId("mistake").textContent = "";
  root.setAttribute("aria-busy", "true");
  const answer = await connection.send({ entropy: entropy(), ...command });
  root.removeAttribute("aria-busy");
  if (answer.go) location.assign(answer.go);
  if (!answer.refused) return;
  byId("mistake").textContent = answer.refused;
  if (!matchHistory.isInPast) setMoves();
}

/** What there is to choose from: a hint is good for as long as this stays the same. @param {Screen} screen */
function choicesOf({ seat, moves }) {
  return [seat, ...moves.map(([text]) => text)].join();
}

/** Ask what a strong player would do; show it in words and on the board. @param {HTMLButtonElement} button */
async function showHint(button) {
  const choices = choicesOf(state);
  button.disabled = true;
  byId("hint").textContent = say("thinking");
  const headers = { Accept: "application/json" };
  const reply = await fetch(`/t/${table}/hint?seat=${state.seat}`, { headers }).catch(() => null);
  const answer = (await reply?.json().catch(() => null)) ?? {};
  button.disabled = false;
  if (choices !== choicesOf(state)) return;
  byId("hint").textContent = answer.say ?? answer.refused ?? "";
  if (answer.move && !matchHistory.isInPast) picker.suggest(answer.move);
}

/** Show the last move of the list. */
function scrollLog() {
  const log = root.querySelector("ol.log");
  if (log) log.scrollTop = log.scrollHeight;
}

/** Screens sent over the connection come without a token. @param {HTMLFormElement} form */
function addCsrfToken(form) {
  if (form.elements.namedItem("csrfmiddlewaretoken")) return;
  const field = document.createElement("input");
  Object.assign(field, { type: "hidden", name: "csrfmiddlewaretoken", value: csrfToken() });
  form.append(field);
}

/** What only a page with JavaScript has. */
function enhance() {
  showFullAddress();
  reveal(root, "[data-copy], [data-hint], #prefs");
  for (const box of byId("prefs").querySelectorAll("input"))
    box.checked = (preference(box.name) || box.value) === "on";
}

/** A button that cannot be undone asks first; whether this click was the first. @param {HTMLElement | null} button */
function asksFirst(button) {
  if (!button || !("sure" in button.dataset) || button.classList.contains("asked")) return false;
  button.classList.add("asked");
  button.textContent = say("sure");
  return true;
}

root.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (!form.matches("[data-do]")) return addCsrfToken(form);
  event.preventDefault();
  if (asksFirst(event.submitter)) return;
  const command = commandOf(form, event.submitter);
  if (command.do === "move" && !command.move) return;
  send({ ...command, seat: Number(command.seat ?? -1), version: connection.version });
  clearTypedMove(form);
});

root.addEventListener("click", (event) => {
  const step = closest(event, "[data-go]");
  const seat = closest(event, "[data-look]");
  const hint = closest(event, "[data-hint]");
  const happened = closest(event, "#happened");
  if (step || seat) event.preventDefault();
  if (step) matchHistory.goTo(Number(step.dataset.go));
  else if (seat) connection.viewAs(Number(seat.dataset.look));
  else if (hint) showHint(/** @type {HTMLButtonElement} */ (hint));
  else if (happened) happened.classList.toggle("whole");
  else if (closest(event, "[data-keys]")) byId("keys", HTMLDialogElement).showModal();
});

function onToggle(/** @type {Event} */ event) {
  if (event.target === root.querySelector("#words-table")) connection.onToggle();
}
root.addEventListener("toggle", onToggle, { capture: true }); // it does not bubble

root.addEventListener("change", (event) => {
  const box = closest(event, "#prefs input");
  if (!(box instanceof HTMLInputElement)) return;
  setPreference(box.name, box.checked ? "on" : "off");
  if (box.name === "coordinates") document.documentElement.dataset.coordinates = preference(box.name);
  if (box.name === "sound" && box.checked) playSound("turn");
});
