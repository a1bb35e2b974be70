// A finished match: stepped through by slider, keys, list or curve, or played like a film; and its analysis.

import { MatchHistory } from "./history.js";
import { morph } from "./morph.js";
import { SVG_NAMESPACE } from "./overlay.js";
import { byId, closest, reveal } from "./page.js";
import { preference, setPreference } from "./preferences.js";
import { redraw } from "./redraw.js";

const POLL_MS = 2500; // while the analysis is computed
const SHAPES = "path, rect, circle, ellipse, polygon, line";
const MAX_OUTLINED = 3; // shapes
const GAP = 3; // between a ghost and its frame, in units of the picture
const CURVE = { left: 64, right: 622, width: 640, top: 8, bottom: 272 }; // the plot inside the curve's SVG

const root = byId("table");
const last = Number(root.dataset.last);
const legsBegin = (root.dataset.legs ?? "0").split(",").map(Number); // the first step of each leg
const playButton = byId("run");
const notation = /** @type {HTMLInputElement} */ (byId("prefs").querySelector("[name=notation]"));
const playOn = document.getElementById("play-on");
/** @type {Map<string, Promise<string>>} */
const pictures = new Map(); // by address
/** @type {HTMLElement | null} */
let turn = null; // the link of the turning point that is shown
/** @type {ReturnType<typeof setInterval> | undefined} */
let timer;

const matchHistory = new MatchHistory(byId("history"), { onStep: show, onPresent: () => show(last) });
matchHistory.setRange(0, last);
const wanted = new URLSearchParams(location.search);
turn = root.querySelector(`[data-turn="${CSS.escape(wanted.get("turn") ?? "")}"]`);
matchHistory.startAt(turn ? Number(turn.dataset.turn) - 1 : Number(wanted.get("step") ?? last));
byId("film").hidden = last === 0;
reveal(root, "#prefs");
notation.checked = preference("notation") === "on";
mark(matchHistory.current);
frameGhosts();

/** @param {string} name */
function picture(name) {
  const found = pictures.get(name) ?? fetchPicture(name);
  pictures.set(name, found);
  found.catch(() => pictures.delete(name)); // offline: fetched again when it is wanted again
  return found;
}

/** @param {string} name */
async function fetchPicture(name) {
  const reply = await fetch(`/replay/${root.dataset.replay}/${name}?lang=${document.documentElement.lang}`);
  if (!reply.ok) throw new Error(`status ${reply.status}`);
  return reply.text();
}

/** Show the position after a step, or a turning point there, and fetch the next one ahead. @param {number} step */
async function show(step) {
  if (Number(turn?.dataset.turn) !== step + 1) turn = null;
  const shown = turn;
  mark(step);
  const html = await picture(turn ? `turn/${step + 1}` : `at/${step}`).catch(() => "");
  if (!html || matchHistory.current !== step || turn !== shown) return;
  redraw(byId("board"), html);
  frameGhosts();
  if (step < last) picture(`at/${step + 1}`).catch(() => "");
}

/** Show the position before a move, with the move played and the better one, where they can be seen. */
function showTurn(/** @type {HTMLElement} */ link) {
  stop();
  turn = link;
  matchHistory.goTo(Number(link.dataset.turn) - 1);
  byId("board").focus({ preventScroll: true });
  byId("board").scrollIntoView({ block: "nearest" });
}

/** A plain ghost has its outline dashed or not; one of many shapes, or of parts of the picture, gets a frame. */
function frameGhosts() {
  for (const ghost of /** @type {NodeListOf<SVGGElement>} */ (root.querySelectorAll("#board .compared"))) {
    if (!ghost.querySelector("use") && ghost.querySelectorAll(SHAPES).length <= MAX_OUTLINED) continue;
    const { x, y, width, height } = ghost.getBBox();
    const frame = document.createElementNS(SVG_NAMESPACE, "rect");
    const box = { x: x - GAP, y: y - GAP, width: width + 2 * GAP, height: height + 2 * GAP, rx: 8, class: "frame" };
    for (const [name, value] of Object.entries(box)) frame.setAttribute(name, String(value));
    ghost.append(frame);
  }
}

/** Show who plays what in the leg of a step. @param {number} step */
function markLeg(step) {
  const leg = legsBegin.findLastIndex((begin) => begin <= step);
  for (const part of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-leg]")))
    part.hidden = Number(part.dataset.leg) !== leg;
}

/** Say which ghost is which. */
function markTurn() {
  const legend = byId("compared");
  legend.hidden = !turn;
  for (const name of turn ? ["played", "better"] : []) {
    const part = legend.querySelector(`.${name}`);
    if (part) part.textContent = turn?.dataset[name] ?? "";
  }
}

/** What playing on begins with. @param {number} step */
function markStart(step) {
  if (!playOn) return;
  /** @type {HTMLInputElement} */ (playOn.querySelector("[name=step]")).value = String(step);
  /** @type {HTMLButtonElement} */ (playOn.querySelector("button")).disabled = step > Number(playOn.dataset.last);
}

/** Show the current step in the list, on the slider, on the curve and in the address. @param {number} step */
function mark(step) {
  root.querySelectorAll("#log [aria-current]").forEach((line) => line.removeAttribute("aria-current"));
  const line = document.getElementById(`log-${step}`);
  line?.setAttribute("aria-current", "step");
  const words = line ? textOf(line) : "";
  matchHistory.slider.setAttribute("aria-valuetext", words);
  byId("moment").textContent = words;
  const list = root.querySelector("ol.log");
  if (line && list) list.scrollTop = line.offsetTop - list.clientHeight / 2;
  markCurve(step);
  markLeg(step);
  markTurn();
  markStart(step);
  history.replaceState(null, "", turn ? `?turn=${turn.dataset.turn}` : `?step=${step}`);
}

/** A line as it is shown: in words, or as it is written; a folded one, too. @param {HTMLElement} line */
function textOf(line) {
  const hidden = document.documentElement.dataset.notation === "on" ? "b:has(+ code)" : "code";
  const shown = /** @type {HTMLElement} */ (line.cloneNode(true));
  shown.querySelectorAll(hidden).forEach((part) => part.remove());
  return shown.textContent?.trim().replace(/\s+/g, " ") ?? "";
}

/** @param {number} step */
function markCurve(step) {
  const curve = root.querySelector("#curve svg");
  if (!curve) return;
  const x = CURVE.left + ((CURVE.right - CURVE.left) * step) / Math.max(last, 1);
  let line = curve.querySelector(".curve-now");
  if (!line) {
    line = document.createElementNS(SVG_NAMESPACE, "line");
    curve.append(line);
  }
  for (const [name, value] of Object.entries({ class: "curve-now", x1: x, x2: x, y1: CURVE.top, y2: CURVE.bottom }))
    line.setAttribute(name, String(value));
}

/** The step at a place on the curve. @param {Element} curve @param {MouseEvent} event */
function stepAt(curve, event) {
  const { left, width } = curve.getBoundingClientRect();
  const x = ((event.clientX - left) / width) * CURVE.width;
  return Math.round(((x - CURVE.left) / (CURVE.right - CURVE.left)) * last);
}

/** Play from here, or from the start if this is the end. */
function play() {
  if (matchHistory.current === last) matchHistory.goTo(0);
  timer = setInterval(
    () => {
      matchHistory.goTo(matchHistory.current + 1);
      if (matchHistory.current === last) stop();
    },
    Number(byId("pace", HTMLSelectElement).value),
  );
  playButton.textContent = playButton.dataset.pause ?? "";
}

function stop() {
  clearInterval(timer);
  timer = undefined;
  playButton.textContent = playButton.dataset.run ?? "";
}

/** @param {number} step */
function stopAt(step) {
  stop();
  matchHistory.goTo(step);
}

playButton.addEventListener("click", () => (timer ? stop() : play()));
byId("pace").addEventListener("change", () => {
  if (!timer) return;
  stop();
  play();
});
notation.addEventListener("change", () => {
  setPreference("notation", notation.checked ? "on" : "off");
  document.documentElement.dataset.notation = preference("notation");
  mark(matchHistory.current);
});
byId("history").addEventListener("submit", (event) => event.preventDefault());
byId("history").addEventListener("pointerdown", stop);

root.addEventListener("click", (event) => {
  const link = closest(event, "[data-go]");
  const curve = closest(event, "#curve svg");
  const turning = closest(event, "[data-turn]");
  if (turning) {
    event.preventDefault();
    showTurn(turning);
  } else if (link) {
    event.preventDefault();
    stopAt(Number(link.dataset.go));
  } else if (curve) stopAt(stepAt(curve, event));
});

document.addEventListener("keydown", (event) => {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!by || event.ctrlKey || event.metaKey || event.altKey || closest(event, "input, select, .scroll")) return;
  event.preventDefault();
  stopAt(matchHistory.current + by);
});

/** Show how far the analysis has got; once it is complete, show it. */
async function followAnalysis() {
  try {
    const reply = await fetch(`/replay/${root.dataset.replay}/progress`);
    const { judged, whole } = await reply.json();
    byId("progress", HTMLProgressElement).value = judged;
    if (whole) return showAnalysis();
  } catch {
    // offline: the next poll will tell
  }
  setTimeout(followAnalysis, POLL_MS);
}

async function showAnalysis() {
  const reply = await fetch(`/replay/${root.dataset.replay}`);
  const page = new DOMParser().parseFromString(await reply.text(), "text/html");
  for (const id of ["analysis", "log"]) {
    const fresh = page.getElementById(id);
    if (fresh) morph(byId(id), document.importNode(fresh, true));
  }
  mark(matchHistory.current);
}

if (document.getElementById("progress")) setTimeout(followAnalysis, POLL_MS);
