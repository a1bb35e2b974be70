// A table on the page: what the house sends is shown, what people do is sent.

import { keep, kept } from "./preferences.js";
import { Live } from "./connection.js";
import { morph } from "./morph.js";
import { after, before } from "./animate.js";
import { Picker } from "./picker.js";
import { redraw } from "./redraw.js";
import { sound } from "./sound.js";
import { Steps } from "./history.js";

const root = document.getElementById("table");
const words = document.getElementById("words").dataset;
const say = (name) => words[name] ?? name;
const byId = (id) => document.getElementById(id);

// Forms are signed as they leave (`sign`). Without their proof the page is what the house sends, so what is being typed stays.
root.querySelectorAll("[name=csrfmiddlewaretoken]").forEach((proof) => proof.remove());

let state = { ...JSON.parse(byId("live").textContent), html: root.innerHTML };

const live = new Live(root.dataset.table, state, { onScreen: show, onLine: line, unfolded: () => byId("words-table")?.open ?? false });
const picker = new Picker(byId("board"), byId("bar"), {
  say,
  play: (move) => act({ do: "move", seat: state.seat, move }),
  confirms: () => kept("confirm") === "on",
  fetchGhost: async (move) => {
    const reply = await fetch(`/t/${root.dataset.table}/ghost?${new URLSearchParams({ move, seat: state.seat })}`);
    return reply.ok ? reply.text() : "";
  },
});
const steps = new Steps(byId("steps"), { show: look, now: () => show(state) });

dress();
scroll();
steps.set(state.first, state.steps);
if (new URLSearchParams(location.search).has("step")) steps.go(Number(new URLSearchParams(location.search).get("step")));
else picker.set(state.moves, state.last);

/** What the house sent replaces what is there, element by element. Who looks at an earlier position goes on looking. */
function show(screen) {
  if (choices(screen) !== choices(state)) byId("hint").textContent = "";
  if (kept("sound") === "on") listen(state, screen);
  state = screen;
  picker.clear();
  const board = byId("board");
  const seen = before(board.querySelector("svg"));
  const fresh = root.cloneNode(false);
  fresh.innerHTML = state.html;
  board.toggleAttribute("data-keep", steps.looking);
  morph(root, fresh);
  dress();
  if (!steps.looking) after(board.querySelector("svg"), seen, state.motions);
  steps.set(state.first, state.steps);
  picker.set(steps.looking ? [] : state.moves, steps.looking ? [] : state.last);
  scroll();
}

/** What there is to hear: something happened, it ended, or it is my turn now. */
function listen(old, now) {
  if (now.steps > old.steps) sound(now.taken ? "taken" : "move");
  if (now.over && !old.over) sound("end");
  else if (now.moves.length && !old.moves.length) sound("turn");
}

async function look(step) {
  const reply = await fetch(`/t/${root.dataset.table}/at/${step}?seat=${state.seat}`);
  if (!reply.ok || steps.step !== step) return;
  picker.clear();
  picker.set([], []);
  byId("board").removeAttribute("data-keep");
  redraw(byId("board"), await reply.text());
  root.querySelectorAll("#log [aria-current]").forEach((line) => line.removeAttribute("aria-current"));
  byId(`log-${step}`)?.setAttribute("aria-current", "step");
}

async function act(message) {
  complain("");
  root.setAttribute("aria-busy", "true");
  const answer = await live.send({ entropy: noise(), ...message });
  root.removeAttribute("aria-busy");
  if (answer.go) location.assign(answer.go);
  if (answer.refused) complain(answer.refused);
  if (answer.refused && !steps.looking) picker.set(state.moves, state.last);
}

/** What there is to choose from: while that stays, a hint is good. */
function choices({ seat, moves }) {
  return [seat, ...moves.map(([text]) => text)].join();
}

/** What a strong player would do, in words and on the board. */
async function hint(button) {
  const asked = choices(state);
  button.disabled = true;
  byId("hint").textContent = say("thinking");
  const reply = await fetch(`/t/${root.dataset.table}/hint?seat=${state.seat}`, { headers: { Accept: "application/json" } }).catch(() => null);
  const answer = (await reply?.json().catch(() => null)) ?? {};
  button.disabled = false;
  if (asked !== choices(state)) return;
  byId("hint").textContent = answer.say ?? answer.refused ?? "";
  if (answer.move && !steps.looking) picker.suggest(answer.move);
}

/** The last move in sight, in a list that scrolls by itself. */
function scroll() {
  const log = root.querySelector("ol.log");
  if (log) log.scrollTop = log.scrollHeight;
}

function noise() {
  return crypto.getRandomValues(new Uint32Array(4)).join("");
}

function complain(sentence) {
  byId("mistake").textContent = sentence;
}

function line(up) {
  byId("line").textContent = up ? "" : say("lost");
}

/** A form that leaves the page proves that it comes from here; those of a screen sent later lack the proof. */
function sign(form) {
  if (form.elements.csrfmiddlewaretoken) return;
  const proof = Object.assign(document.createElement("input"), { type: "hidden", name: "csrfmiddlewaretoken" });
  proof.value = document.querySelector("meta[name=csrf]").content;
  form.append(proof);
}

/** What only a page with script has. */
function dress() {
  const address = byId("address");
  if (address) address.value = new URL(address.getAttribute("value"), location).href;
  root.querySelectorAll("[data-copy]").forEach((button) => (button.hidden = false));
  root.querySelectorAll("[data-hint]").forEach((button) => (button.hidden = false));
  byId("prefs").hidden = false;
  for (const box of byId("prefs").querySelectorAll("input")) box.checked = (kept(box.name) || box.value) === "on";
}

root.addEventListener("submit", (event) => {
  const form = event.target.closest("[data-do]");
  if (!form) return sign(event.target);
  event.preventDefault();
  const button = event.submitter;
  if (button && "sure" in button.dataset && !button.classList.contains("asked")) {
    button.classList.add("asked");
    button.textContent = say("sure");
    return;
  }
  const data = Object.fromEntries(new FormData(form, button));
  if (data.do === "move" && !data.move) return;
  act({ ...data, seat: Number(data.seat ?? -1), version: live.version });
  form.querySelectorAll("input[name=move]:not([type=hidden])").forEach((input) => (input.value = ""));
});

root.addEventListener("click", (event) => {
  const go = event.target.closest("[data-go]");
  const seat = event.target.closest("[data-look]");
  if (go) event.preventDefault(), steps.go(Number(go.dataset.go));
  else if (seat) event.preventDefault(), live.look(Number(seat.dataset.look));
  else if (event.target.closest("[data-hint]")) hint(event.target);
  else if (event.target.closest("#happened")) event.target.classList.toggle("whole");
  else if (event.target.closest("[data-keys]")) byId("keys").showModal();
});

root.addEventListener("toggle", (event) => event.target.id === "words-table" && live.unfold(), true); // it does not bubble

root.addEventListener("change", (event) => {
  const { name, checked } = event.target;
  if (!event.target.closest("#prefs")) return;
  keep(name, checked ? "on" : "off");
  if (name === "coordinates") document.documentElement.dataset.coordinates = kept(name);
  if (name === "sound" && checked) sound("turn");
});
