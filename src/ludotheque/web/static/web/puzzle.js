// A puzzle on the page: what the solver does is sent, what the house answers is shown.

import { Clock } from "./clock.js";
import { Drag } from "./drag.js";
import { morph } from "./morph.js";
import { after, before } from "./animate.js";
import { Picker } from "./picker.js";

const byId = (id) => document.getElementById(id);
const root = byId("table");
const words = byId("words").dataset;
const say = (name) => words[name] ?? name;
const headers = { "Content-Type": "application/json", "X-CSRFToken": document.querySelector("meta[name=csrf]").content };

let state = JSON.parse(byId("live").textContent);
let busy = false;

const clock = new Clock(byId("time"), {
  onPause: (spent) => post({ do: "pause", version: state.version, spent }, true).catch(() => null),
  onCover: cover,
});
const picker = new Picker(byId("board"), byId("bar"), {
  say,
  play: (move) => act({ do: "move", move }),
  confirms: () => false,
  fetchGhost: async (move) => {
    const reply = await fetch(`${location.pathname}?${new URLSearchParams({ ghost: move })}`);
    return reply.status === 200 ? reply.text() : "";
  },
});
new Drag(picker);

dress();
picker.set(state.moves, state.last);
run();

function run() {
  clock.set(state.seconds, state.running);
  byId("pause").hidden = !state.running;
}

function post(message, keepalive = false) {
  return fetch(location.pathname, { method: "POST", headers, body: JSON.stringify(message), keepalive });
}

/** Do something, once it gets through; the answer holds the position as it is then. */
async function act(message) {
  if (busy) return;
  busy = true;
  byId("mistake").textContent = "";
  if (message.do === "hint") byId("said").textContent = say("thinking");
  const whole = { version: state.version, spent: clock.seconds, ...message };
  let retried = false;
  for (let wait = 500; ; wait = Math.min(wait * 2, 8000)) {
    const reply = await post(whole).catch(() => null);
    if (reply && (reply.status < 500 || reply.status === 503)) {
      byId("line").textContent = "";
      const answer = await reply.json().catch(() => ({ refused: "…" }));
      // A message that got through without our hearing of it is stale when it is sent again.
      if (answer.refused && !(retried && answer.code === "stale")) byId("mistake").textContent = answer.refused;
      busy = false;
      return show(answer.screen ?? state);
    }
    retried = true;
    byId("line").textContent = say("lost");
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

function show(screen) {
  const board = byId("board");
  if (screen.html) {
    picker.clear();
    const seen = before(board.querySelector("svg"));
    const fresh = root.cloneNode(false);
    fresh.innerHTML = screen.html;
    morph(root, fresh);
    after(board.querySelector("svg"), seen);
    dress();
  }
  state = screen;
  picker.set(state.moves, state.last);
  if (state.suggest) picker.suggest(state.suggest);
  byId("asking")?.querySelector("button").focus();
  run();
}

/** What only a page with script has. */
function dress() {
  const address = byId("address");
  address.value = new URL(address.getAttribute("value"), location).href;
  root.querySelectorAll("[data-copy]").forEach((button) => (button.hidden = false));
  ["hide", "prefs"].forEach((id) => (byId(id).hidden = false));
  hide(localStorage.getItem("clock") === "hidden");
}

/** The board is covered while the clock stands still: thinking takes time, too. */
function cover(stopped) {
  byId("board").classList.toggle("covered", stopped);
  byId("paused").hidden = !stopped;
  byId("pause").textContent = say(stopped ? "resume" : "pause");
  picker.clear();
  picker.set(stopped ? [] : state.moves, stopped ? [] : state.last);
}

function hide(hidden) {
  byId("time").classList.toggle("hidden-clock", hidden);
  byId("hide").setAttribute("aria-pressed", hidden);
}

root.addEventListener("submit", (event) => {
  const form = event.target.closest("[data-do]");
  if (!form) return;
  event.preventDefault();
  const data = Object.fromEntries(new FormData(form, event.submitter));
  delete data.csrfmiddlewaretoken;
  delete data.version;
  if (data.do === "move" && !data.move) return;
  act(data);
  form.querySelectorAll("input[name=move]:not([type=hidden])").forEach((input) => (input.value = ""));
});

root.addEventListener("click", (event) => {
  if (event.target.closest("[data-keys]")) byId("keys").showModal();
  else if (event.target.id === "pause") clock.toggle();
  else if (event.target.id === "hide") {
    localStorage.setItem("clock", localStorage.getItem("clock") === "hidden" ? "" : "hidden");
    hide(localStorage.getItem("clock") === "hidden");
  }
});

document.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || event.target.matches("input, textarea")) return;
  const key = event.key.toLowerCase();
  const deed = key === "z" ? (event.shiftKey ? "redo" : "undo") : key === "y" ? "redo" : "";
  if (!deed || clock.stopped) return;
  event.preventDefault();
  act({ do: deed });
});
