// A finished match: stepped through by slider, keys, list or curve, or played like a film; and its analysis.

import { MatchHistory } from "./history.js";
import { morph } from "./morph.js";
import { SVG_NAMESPACE } from "./overlay.js";
import { byId, closest } from "./page.js";
import { redraw } from "./redraw.js";

const POLL_MS = 2500; // while the analysis is computed
const CURVE = { left: 64, right: 622, width: 640, top: 8, bottom: 272 }; // the plot inside the curve's SVG

const root = byId("table");
const last = Number(root.dataset.last);
const playButton = byId("run");
/** @type {Map<number, Promise<string>>} */
const pictures = new Map(); // by step
/** @type {ReturnType<typeof setInterval> | undefined} */
let timer;

const matchHistory = new MatchHistory(byId("history"), { onStep: show, onPresent: () => show(last) });
matchHistory.setRange(0, last);
matchHistory.startAt(Number(new URLSearchParams(location.search).get("step") ?? last));
byId("film").hidden = last === 0;
mark(matchHistory.current);

/** @param {number} step */
function picture(step) {
  const found = pictures.get(step) ?? fetchPicture(step);
  pictures.set(step, found);
  return found;
}

/** @param {number} step */
async function fetchPicture(step) {
  const reply = await fetch(`/replay/${root.dataset.replay}/at/${step}?lang=${document.documentElement.lang}`);
  if (!reply.ok) throw new Error(`status ${reply.status}`);
  return reply.text();
}

/** Show the position after a step, and fetch the next one ahead. @param {number} step */
async function show(step) {
  mark(step);
  try {
    const html = await picture(step);
    if (matchHistory.current !== step) return;
    redraw(byId("board"), html);
    if (step < last) picture(step + 1).catch(() => pictures.delete(step + 1));
  } catch {
    pictures.delete(step); // offline: fetched again when it is wanted again
  }
}

/** Show the current step in the list, on the slider, on the curve and in the address. @param {number} step */
function mark(step) {
  root.querySelectorAll("#log [aria-current]").forEach((line) => line.removeAttribute("aria-current"));
  const line = document.getElementById(`log-${step}`);
  line?.setAttribute("aria-current", "step");
  const words = line?.textContent?.trim().replace(/\s+/g, " ") ?? "";
  matchHistory.slider.setAttribute("aria-valuetext", words);
  byId("moment").textContent = words;
  const list = root.querySelector("ol.log");
  if (line && list) list.scrollTop = line.offsetTop - list.clientHeight / 2;
  markCurve(step);
  history.replaceState(null, "", `?step=${step}`);
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
byId("history").addEventListener("submit", (event) => event.preventDefault());
byId("history").addEventListener("pointerdown", stop);

root.addEventListener("click", (event) => {
  const link = closest(event, "[data-go]");
  const curve = closest(event, "#curve svg");
  if (link) {
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
