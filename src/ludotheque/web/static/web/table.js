// A table's page: shows the screens the server sends, and sends the commands of whoever plays.

import { animate, capture, finish, pause, seek } from "./animate.js";
import { TableConnection } from "./connection.js";
import { Drag } from "./drag.js";
import { MatchHistory } from "./history.js";
import { morph } from "./morph.js";
import {
  byId,
  clearTypedMove,
  closest,
  commandOf,
  csrfToken,
  entropy,
  fetchReason,
  initialState,
  reveal,
  say,
  showFullAddress,
} from "./page.js";
import { Picker } from "./picker.js";
import { preference, setPreference } from "./preferences.js";
import { redraw } from "./redraw.js";
import { playSound } from "./sound.js";
import { chosenPace, MAX_QUEUED, Story } from "./story.js";
import { tipsFor } from "./tips.js";

/** @import { Command, Screen } from "./connection.js" */
/** @import { Beat, Scene, ToldScene } from "./story.js" */

const root = byId("table");
const table = root.dataset.table ?? "";

// Forms get their CSRF token when they are sent (`addCsrfToken`). Without it the page equals the server's screens, so
// that morphing leaves alone what is being typed.
root.querySelectorAll("[name=csrfmiddlewaretoken]").forEach((field) => field.remove());

/** @type {Screen} */
let state = { ...initialState(), html: root.innerHTML }; // what the page shows
let newest = state; // what it will show once the story is told

/**
 * The last round, to show it again: each scene with the HTML of its screen, and what was there before. If that is
 * null, the picture after `step` is fetched.
 * @typedef {{ picture: string, html: string }} Drawn
 * @typedef {{ before: Drawn | null, step: number, scenes: (ToldScene & Drawn)[] }} Round
 */
let round = roundOf(state);

const connection = new TableConnection(table, state, {
  onScreen: receive,
  onStatus: (up) => (byId("connection-status").textContent = up ? "" : say("lost")),
  onGone: (why) => {
    byId("connection-status").textContent = why || say("gone");
  },
  isUnfolded: () => root.querySelector("#words-table")?.hasAttribute("open") ?? false,
});
const story = new Story({
  pace: chosenPace,
  begin: beginScene,
  tell,
  end: endScene,
  seek,
  pause,
  hold: (held) => showHold(held),
});
story.goOnBy(byId("board"));
const picker = new Picker(byId("board"), byId("bar"), {
  say,
  play: (move) => send({ do: "move", seat: state.seat, move, version: state.version }),
  mustConfirm: () => preference("confirm") === "on",
  fetchGhost: async (move) => {
    const query = new URLSearchParams({ move, seat: String(state.seat) });
    const reply = await fetch(`/t/${table}/ghost?${query}`);
    return reply.ok ? reply.text() : "";
  },
  fetchReason: (...question) => fetchReason(`/t/${table}/why?seat=${state.seat}`, ...question),
});
new Drag(picker);
const matchHistory = new MatchHistory(byId("history"), { onStep: showStep, onPresent: () => show(newest) });

tipsFor(root);
enhance();
scrollLog();
matchHistory.setRange(state.first, state.steps);
const wantedStep = new URLSearchParams(location.search).get("step");
if (wantedStep === null) setMoves();
else matchHistory.goTo(Number(wantedStep));

let nextCommitment = "";
addNextEntropy(state);

/**
 * Once the luck of the next match is fixed, add to it: it may begin whenever anybody at the table wants it to. If it is
 * fixed anew, because the site has another key, what was added before counts no more.
 * @param {Screen} screen
 */
function addNextEntropy({ over, html }) {
  const next = over ? fragmentOf(html).querySelector("#next-luck") : null;
  const { seat, commitment } = next instanceof HTMLElement ? next.dataset : {};
  if (!commitment || commitment === nextCommitment) return;
  nextCommitment = commitment;
  connection.send({ do: "entropy", seat: Number(seat), entropy: entropy(), commitment });
}

/** What a new screen tells is shown first; without a story it is shown at once. @param {Screen} screen */
function receive(screen) {
  const scenes = screen.events > newest.events ? screen.story.filter((scene) => !scene.aside) : [];
  remember(newest, screen, scenes);
  callOnHiddenPage(newest, screen);
  newest = screen;
  addNextEntropy(screen);
  if (matchHistory.isInPast) story.drop();
  if (scenes.length && !matchHistory.isInPast)
    story.add(scenes.map((scene, number) => sceneOf(scene, screen, scenes.length, number)));
  else if (!story.postpone(screen)) show(screen);
}

/**
 * @param {ToldScene} scene
 * @param {Screen} screen
 * @param {number} length  of the story
 * @param {number} number
 * @returns {Scene}
 */
function sceneOf(scene, screen, length, number) {
  return { ...scene, own: screen.own && number === 0, screen: number === length - 1 ? screen : null };
}

/**
 * Keep what "again" will show: everything since the visitor's own last move, seen through the same seat.
 * @param {Screen} old
 * @param {Screen} screen
 * @param {ToldScene[]} scenes
 */
function remember(old, screen, scenes) {
  const told = scenes.map((scene) => ({ ...scene, html: screen.html }));
  if (screen.seat !== old.seat || screen.events < old.events) round = roundOf(screen);
  else if (screen.own && told.length) round = { before: { picture: "", html: old.html }, step: 0, scenes: told };
  else round.scenes.push(...told);
  while (round.scenes.length > MAX_QUEUED) round.before = round.scenes.shift() ?? null;
}

/** What a screen tells by itself. @param {Screen} screen @returns {Round} */
function roundOf({ before, story, html }) {
  return {
    before: null,
    step: before,
    scenes: story.filter((scene) => !scene.aside).map((scene) => ({ ...scene, html })),
  };
}

/** Show the last round again, from the board as it was before. */
async function showAgain() {
  if (story.isHeld || !round.scenes.length) return;
  const { before, step, scenes } = round;
  const picture = before ? pictureOf(before) : await fetchPicture(step);
  if (story.isHeld || round.scenes !== scenes) return;
  if (matchHistory.isInPast) matchHistory.goTo(matchHistory.last);
  story.drop();
  picker.set([], []);
  if (picture) redraw(byId("board"), picture);
  finish();
  const last = scenes.length - 1;
  story.add(
    scenes.map((scene, number) => ({
      ...scene,
      picture: pictureOf(scene),
      own: false,
      holds: true,
      screen: number === last ? newest : null,
    })),
  );
}

/** The picture of a scene: its own, or that of its screen. @param {Drawn} scene */
function pictureOf({ picture, html }) {
  return picture || (fragmentOf(html).querySelector("#board")?.innerHTML ?? "");
}

/** @param {string} html */
function fragmentOf(html) {
  const fresh = /** @type {HTMLElement} */ (root.cloneNode(false));
  fresh.innerHTML = html;
  return fresh;
}

/** @param {Scene} scene @param {number[]} starts @param {boolean} open */
function beginScene(scene, starts, open) {
  if (preference("sound") === "on") playSound(scene.taken ? "taken" : "move");
  if (open && scene.screen) return show(scene.screen, scene.beats, starts);
  picker.set([], []);
  redraw(byId("board"), pictureOf({ html: scene.screen?.html ?? "", picture: scene.picture }), scene.beats, starts);
}

/** Whatever its length, a sentence is shown whole and moves nothing. @param {Beat} beat */
function tell({ say: sentence }) {
  if (!sentence) return;
  const line = document.createElement("span");
  line.textContent = sentence;
  byId("happened").replaceChildren(line);
}

/** @param {Scene} scene */
function endScene({ screen }) {
  finish();
  if (screen) show(screen);
}

/** Say that there is more to see, and how to go on. @param {boolean} held */
function showHold(held) {
  const bar = byId("story");
  if (!held && bar.contains(document.activeElement)) byId("board").focus();
  if (held && bar.hidden) bringSentenceIntoView();
  bar.hidden = !held;
  const happened = byId("happened");
  happened.style.height = held ? `${happened.offsetHeight}px` : "";
  happened.classList.toggle("telling", held);
  byId("again", HTMLButtonElement).disabled = held;
}

/** Whoever has scrolled down to the buttons can read what is told of the board there. */
function bringSentenceIntoView() {
  const { bottom } = byId("board").getBoundingClientRect();
  if (bottom > 0 && bottom < innerHeight) byId("status").scrollIntoView({ block: "nearest" });
}

/**
 * Show a screen. Whoever looks at an earlier position goes on looking at it.
 * @param {Screen} screen
 * @param {Beat[]} [beats]
 * @param {number[]} [starts]
 */
function show(screen, beats, starts) {
  if (choicesOf(screen) !== choicesOf(state)) byId("hint").textContent = "";
  if (preference("sound") === "on") playSounds(state, screen);
  state = screen;
  picker.clear();
  const board = byId("board");
  const before = capture(board.querySelector("svg"));
  board.toggleAttribute("data-keep", matchHistory.isInPast);
  morph(root, fragmentOf(state.html));
  enhance();
  if (!matchHistory.isInPast) animate(board.querySelector("svg"), before, beats, starts);
  matchHistory.setRange(state.first, state.steps);
  setMoves();
  scrollLog();
}

/** Moves are played from the present position only, and when one has seen how it came about. */
function setMoves() {
  if (matchHistory.isInPast || story.isHeld) picker.set([], []);
  else picker.set(state.moves, state.last, state.stuck);
}

/**
 * Sounds for the end, or one's turn.
 * @param {Screen} old
 * @param {Screen} now
 */
function playSounds(old, now) {
  if (now.over && !old.over) playSound("end");
  else if (now.moves.length && !old.moves.length && !story.isHeld) playSound("turn");
}

/** The story waits until the page is seen, but one may be called. @param {Screen} old @param {Screen} now */
function callOnHiddenPage(old, now) {
  if (document.hidden && preference("sound") === "on") playSounds(old, now);
}

/** Show an earlier position. @param {number} step */
async function showStep(step) {
  if (story.isHeld) {
    story.drop();
    show(newest);
  }
  const picture = await fetchPicture(step);
  if (!picture || matchHistory.step !== step) return;
  picker.clear();
  picker.set([], []);
  byId("board").removeAttribute("data-keep");
  redraw(byId("board"), picture);
  root.querySelectorAll("#log [aria-current]").forEach((line) => line.removeAttribute("aria-current"));
  document.getElementById(`log-${step}`)?.setAttribute("aria-current", "step");
}

/** The picture after a step; empty if one may not see it. @param {number} step */
async function fetchPicture(step) {
  const reply = await fetch(`/t/${table}/at/${step}?seat=${newest.seat}`);
  return reply.ok ? reply.text() : "";
}

/** @param {Command} command */
async function send(command) {
  byId("mistake").textContent = "";
  root.setAttribute("aria-busy", "true");
  const answer = await connection.send({ entropy: entropy(), commitment: nextCommitment, ...command });
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
  if (!answer.move || matchHistory.isInPast) return;
  picker.suggest(answer.move);
  byId("board").scrollIntoView({ block: "nearest" }); // on a telephone the button is far below
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
  for (const choice of byId("prefs").querySelectorAll("select"))
    if (preference(choice.name)) choice.value = preference(choice.name);
  byId("again").hidden = !round.scenes.length;
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
  send({ ...command, seat: Number(command.seat ?? -1), version: state.version });
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
  else if (closest(event, "[data-go-on]")) story.goOn();
  else if (closest(event, "[data-again]")) showAgain();
  else if (closest(event, "[data-keys]")) byId("keys", HTMLDialogElement).showModal();
});

function onToggle(/** @type {Event} */ event) {
  if (event.target === root.querySelector("#words-table")) connection.onToggle();
}
root.addEventListener("toggle", onToggle, { capture: true }); // it does not bubble

root.addEventListener("change", (event) => {
  const choice = closest(event, "#prefs select");
  if (choice instanceof HTMLSelectElement) setPreference(choice.name, choice.value);
  const box = closest(event, "#prefs input");
  if (!(box instanceof HTMLInputElement)) return;
  setPreference(box.name, box.checked ? "on" : "off");
  if (box.name === "coordinates" || box.name === "notation")
    document.documentElement.dataset[box.name] = preference(box.name);
  if (box.name === "sound" && box.checked) playSound("turn");
});
