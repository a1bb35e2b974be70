// A finished match: stepped through by slider, keys, list or curve, or run like a film; and its analysis, once there is one.

import { morph } from "./morph.js";
import { redraw } from "./redraw.js";
import { Steps } from "./history.js";

const ASK_AGAIN = 2500; // milliseconds between questions while the analysis is made
const MARGIN = { left: 64, right: 18, wide: 640 }; // of the curve, as it is drawn

const byId = (id) => document.getElementById(id);
const root = byId("table");
const last = Number(root.dataset.last);
const run = byId("run");
const pictures = new Map();
let film = null;

const steps = new Steps(byId("steps"), { show, now: () => show(last) });
steps.set(0, last);
steps.step = Number(new URLSearchParams(location.search).get("step") ?? last);
steps.slider.value = steps.step;
byId("film").hidden = last === 0;
mark(steps.step);

/** The picture after a step; the next one is fetched ahead. */
function picture(step) {
  if (!pictures.has(step))
    pictures.set(step, fetch(`/replay/${root.dataset.replay}/at/${step}?lang=${document.documentElement.lang}`).then(
      (reply) => (reply.ok ? reply.text() : Promise.reject(reply.status)),
    ));
  return pictures.get(step);
}

async function show(step) {
  mark(step);
  try {
    const html = await picture(step);
    if (here() !== step) return;
    redraw(byId("board"), html);
    if (step < last) picture(step + 1);
  } catch {
    pictures.delete(step); // the network is away: asked again when it is wanted again
  }
}

function here() {
  return steps.step ?? last;
}

/** Where we are, in the list, on the slider, on the curve and in the address. */
function mark(step) {
  root.querySelectorAll("#log [aria-current]").forEach((line) => line.removeAttribute("aria-current"));
  const line = byId(`log-${step}`);
  line?.setAttribute("aria-current", "step");
  const words = line?.textContent.trim().replace(/\s+/g, " ") ?? "";
  steps.slider.setAttribute("aria-valuetext", words);
  byId("moment").textContent = words;
  const list = root.querySelector("ol.log");
  if (line) list.scrollTop = line.offsetTop - list.clientHeight / 2;
  needle(step);
  history.replaceState(null, "", `?step=${step}`);
}

function needle(step) {
  const curve = root.querySelector("#curve svg");
  if (!curve) return;
  const x = MARGIN.left + ((MARGIN.wide - MARGIN.left - MARGIN.right) * step) / Math.max(last, 1);
  let line = curve.querySelector(".curve-now");
  if (!line) {
    line = document.createElementNS("http://www.w3.org/2000/svg", "line");
    for (const [name, value] of Object.entries({ class: "curve-now", y1: 8, y2: 272 })) line.setAttribute(name, value);
    curve.append(line);
  }
  line.setAttribute("x1", x);
  line.setAttribute("x2", x);
}

/** Runs from here, or from the start if this is the end. */
function toggle() {
  if (film) return stop();
  if (here() === last) steps.go(0);
  film = setInterval(() => {
    steps.go(here() + 1);
    if (here() === last) stop();
  }, Number(byId("pace").value));
  run.textContent = run.dataset.pause;
}

function stop() {
  clearInterval(film);
  film = null;
  run.textContent = run.dataset.run;
}

run.addEventListener("click", toggle);
byId("pace").addEventListener("change", () => film && (stop(), toggle()));
byId("steps").addEventListener("submit", (event) => event.preventDefault());
byId("steps").addEventListener("pointerdown", stop);

root.addEventListener("click", (event) => {
  const go = event.target.closest("[data-go]");
  const curve = event.target.closest("#curve svg");
  if (go) event.preventDefault(), stop(), steps.go(Number(go.dataset.go));
  else if (curve) {
    const { left, width } = curve.getBoundingClientRect();
    const x = ((event.clientX - left) / width) * MARGIN.wide - MARGIN.left;
    stop();
    steps.go(Math.round((x / (MARGIN.wide - MARGIN.left - MARGIN.right)) * last));
  }
});

document.addEventListener("keydown", (event) => {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!by || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, .scroll")) return;
  event.preventDefault();
  stop();
  steps.go(here() + by);
});

/** While the analysis is made: how far it has got; then the page as it is with it. */
async function follow() {
  try {
    const reply = await fetch(`/replay/${root.dataset.replay}/progress`);
    const { judged, whole } = await reply.json();
    byId("progress").value = judged;
    if (whole) return complete();
  } catch {
    // the network is away: the next question will tell
  }
  setTimeout(follow, ASK_AGAIN);
}

async function complete() {
  const text = await (await fetch(`/replay/${root.dataset.replay}`)).text();
  const page = new DOMParser().parseFromString(text, "text/html");
  for (const id of ["analysis", "log"]) morph(byId(id), document.importNode(page.getElementById(id), true));
  mark(here());
}

if (byId("progress")) setTimeout(follow, ASK_AGAIN);
