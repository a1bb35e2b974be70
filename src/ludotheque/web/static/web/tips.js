// Tips of a first game: each is told once in this browser, when a phase or a step first comes up. Which there
// are is data of the game; the page knows their names only.

import { say } from "./page.js";
import { preference, setPreference } from "./preferences.js";

/** @typedef {"phases" | "steps"} Kind */
/** @typedef {{ kind: Kind, name: string }} Cue */

const MAX_GAMES = 20; // first games that are remembered

/** @param {string} name @returns {string[]} */
function stored(name) {
  return JSON.parse(localStorage.getItem(name) ?? "[]");
}

/** Whether this is a first game: the address says so when one comes from the lesson, and it is remembered. */
function isFirstGame() {
  const games = stored("first-games");
  if (new URLSearchParams(location.search).has("first") && !games.includes(location.pathname)) {
    games.push(location.pathname);
    localStorage.setItem("first-games", JSON.stringify(games.slice(-MAX_GAMES)));
  }
  return games.includes(location.pathname);
}

/** Tell tips on this page, if it is a first game. @param {HTMLElement} root  is morphed; #cues in it names the phase and the last steps */
export function tipsFor(root) {
  return isFirstGame() && preference("tips") !== "off" ? new Tips(root) : null;
}

class Tips {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.game = root.dataset.game ?? "";
    /** @type {Record<Kind, Record<string, string>>} */
    this.sentences = { phases: {}, steps: {} };
    /** @type {Cue[]} */
    this.waiting = [];
    this.phase = "";
    this.sheet = this.makeSheet();
    this.load();
  }

  async load() {
    const reply = await fetch(`/games/${this.game}/tips`);
    if (!reply.ok) return;
    this.sentences = await reply.json();
    const changed = new MutationObserver(() => this.look());
    changed.observe(this.root, { subtree: true, attributeFilter: ["data-phase", "data-steps"] });
    this.look();
  }

  get cues() {
    return /** @type {HTMLElement | null} */ (this.root.querySelector("#cues"))?.dataset ?? {};
  }

  look() {
    if (this.root.querySelector("#after")) return this.endTips();
    const { phase } = this;
    this.phase = this.cues.phase ?? "";
    if (phase && phase !== this.phase) this.sheet.hidden = true; // one has moved on, and so has the rule
    for (const name of (this.cues.steps ?? "").split(" ")) this.notice("steps", name);
    this.notice("phases", this.cues.phase ?? "");
  }

  /** The game is over: no tip helps any more. */
  endTips() {
    this.waiting = [];
    this.sheet.hidden = true;
  }

  /**
   * Something has come up.
   * @param {Kind} kind
   * @param {string} name
   */
  notice(kind, name) {
    const isNew = this.sentences[kind][name] && !stored("tips-seen").includes(this.keyOf({ kind, name }));
    if (isNew && !this.waiting.some((cue) => cue.kind === kind && cue.name === name))
      this.waiting.push({ kind, name });
    if (this.sheet.hidden) this.showNext();
  }

  /** @param {Cue} cue */
  keyOf({ kind, name }) {
    return `${this.game}.${kind}.${name}`;
  }

  /** Show the next tip. One about a phase that is over comes when the phase comes again. */
  showNext() {
    this.waiting = this.waiting.filter(({ kind, name }) => kind !== "phases" || name === this.cues.phase);
    const cue = this.waiting.shift();
    this.sheet.hidden = !cue;
    if (!cue) return;
    localStorage.setItem("tips-seen", JSON.stringify([...stored("tips-seen"), this.keyOf(cue)]));
    const sentence = this.sheet.querySelector("p");
    if (sentence) sentence.innerHTML = this.sentences[cue.kind][cue.name]; // our own Markdown, rendered by the server
  }

  makeSheet() {
    const sheet = document.createElement("aside");
    Object.assign(sheet, { id: "tip", className: "tip sheet", hidden: true });
    sheet.setAttribute("aria-label", say("tip"));
    const sentence = document.createElement("p");
    sentence.setAttribute("role", "status");
    sheet.append(sentence);
    this.addButton(sheet, "tipClose", "main-button", () => this.showNext());
    this.addButton(sheet, "tipOff", "quiet-button", () => this.stop());
    this.root.before(sheet);
    return sheet;
  }

  /**
   * @param {HTMLElement} sheet
   * @param {string} label
   * @param {string} className
   * @param {() => void} onClick
   */
  addButton(sheet, label, className, onClick) {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", textContent: say(label), className });
    button.addEventListener("click", onClick);
    sheet.append(button);
  }

  /** No tips any more, here and in other games; the page's preferences bring them back. */
  stop() {
    setPreference("tips", "off");
    this.waiting = [];
    this.sentences = { phases: {}, steps: {} };
    this.sheet.hidden = true;
    /** @type {HTMLInputElement | null} */
    const box = document.querySelector("#prefs [name=tips]");
    if (box) box.checked = false;
  }
}
