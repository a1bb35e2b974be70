// Pencil marks: while the pencil is taken up, cells are tapped to rule them out, a piece first to rule out it alone.
// The server draws the marks.

import { nearest } from "./overlay.js";
import { ARROWS } from "./picker.js";

const TARGETS = "[id^=cell-], [id^=tray-]";

export class Pencil {
  /**
   * @param {HTMLElement} board  holds the picture
   * @param {object} handlers
   * @param {(mark: string) => void} handlers.onMark  called with a mark to set or to take away
   * @param {(piece: string) => void} handlers.onPiece  called when another piece, or none, is ruled out
   */
  constructor(board, { onMark, onPiece }) {
    this.board = board;
    this.onMark = onMark;
    this.onPiece = onPiece;
    this.isOn = false;
    this.piece = "";
    this.focused = "";
    this.byKeyboard = false; // then the focus stays where it was when the picture changes
    board.addEventListener("click", (event) => {
      this.byKeyboard = false;
      this.use(event.target);
    });
    board.addEventListener("keydown", (event) => this.onKey(event));
  }

  toggle() {
    this.isOn = !this.isOn;
    this.piece = "";
    this.show();
    this.onPiece("");
  }

  /** @returns {Map<string, Element>} */
  get targets() {
    return new Map([...this.board.querySelectorAll(TARGETS)].map((target) => [target.id, target]));
  }

  /** Show what can be tapped; to be called again after the picture has changed. */
  show() {
    this.board.classList.toggle("pencil-on", this.isOn);
    const { targets } = this;
    const first = targets.has(this.focused) ? this.focused : this.board.querySelector("[id^=cell-]")?.id;
    for (const [id, target] of targets) {
      target.classList.toggle("pencil-picked", this.isOn && id === `tray-${this.piece}`);
      if (!this.isOn) continue;
      target.setAttribute("role", "button");
      target.setAttribute("tabindex", id === first ? "0" : "-1");
      target.setAttribute("aria-label", target.querySelector("title")?.textContent ?? id.slice(5));
    }
    if (this.isOn) this.board.querySelector("svg")?.setAttribute("role", "group");
    for (const name of this.board.querySelectorAll(".pencil-piece"))
      name.classList.toggle("pencil-other", Boolean(this.piece) && name.textContent !== this.piece);
    const target = targets.get(this.focused);
    const active = document.activeElement;
    if (this.isOn && this.byKeyboard && target instanceof SVGElement)
      if (active === document.body || this.board.contains(active)) target.focus();
  }

  /** @param {EventTarget | null} target */
  use(target) {
    const found = this.isOn && target instanceof Element ? target.closest(TARGETS) : null;
    if (!found) return;
    this.focused = found.id;
    const [, sort, name] = /** @type {string[]} */ (/^(\w+)-(.*)/.exec(found.id));
    if (sort === "cell") return this.onMark(this.piece ? `${this.piece}-${name}` : name);
    this.piece = this.piece === name ? "" : name;
    this.show();
    this.onPiece(this.piece);
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const { targets } = this;
    const from = event.target instanceof Element ? targets.get(event.target.id) : null;
    if (!this.isOn || !from) return;
    this.byKeyboard = true;
    if (event.key === "Enter" || event.key === " ") this.use(from);
    else if (event.key in ARROWS) {
      const next = targets.get(nearest(targets, from, ARROWS[event.key]) ?? "");
      if (next instanceof SVGElement) {
        this.focused = next.id;
        next.setAttribute("tabindex", "0");
        from.setAttribute("tabindex", "-1");
        next.focus();
      }
    } else return;
    event.preventDefault();
  }
}
