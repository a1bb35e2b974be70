// A step of a lesson: moves are tried, the lesson answers, and after the right one it goes on.

import { Picker } from "./picker.js";
import { redraw } from "./redraw.js";

const byId = (id) => document.getElementById(id);
const words = byId("words").dataset;
const board = byId("board");
const { moves } = JSON.parse(byId("live").textContent);
const picker = new Picker(board, byId("bar"), {
  say: (name) => words[name] ?? name,
  play: attempt,
  confirms: () => false,
  fetchGhost: async () => "",
});
picker.set(moves, []);
if (byId("by-hand")) byId("by-hand").hidden = false;

async function attempt(move) {
  const headers = { Accept: "application/json", "X-CSRFToken": document.querySelector("meta[name=csrf]").content };
  const reply = await fetch(location.pathname, { method: "POST", headers, body: new URLSearchParams({ move }) });
  if (!reply.ok) return location.reload();
  show(await reply.json());
}

function show({ verdict, say, html }) {
  const right = verdict === "right";
  const answer = byId("answer");
  answer.hidden = false;
  answer.classList.toggle("right", right);
  answer.innerHTML = say; // our own Markdown, rendered by the house
  if (right) picker.clear(), redraw(board, html);
  picker.set(right ? [] : moves, []);
  byId("next").hidden = !right;
  answer.scrollIntoView({ block: "nearest" });
  if (right) byId("next").querySelector("a").focus();
}

byId("typed")?.addEventListener("submit", (event) => {
  event.preventDefault();
  const field = event.target.elements.move;
  attempt(field.value);
  field.value = "";
});
