// From the first click to a move, by mouse, touch and keyboard. The server describes each legal move as picks: the ids
// of the elements of the picture that lead to it, in order. The picker knows no rules.

import { nearest, Overlay } from "./overlay.js";
import { isTyping } from "./page.js";
import { Selection } from "./selection.js";

/** @import { Move, WireMove } from "./selection.js" */

/**
 * @typedef {object} PickerOptions
 * @property {(name: string) => string} say  a sentence in the visitor's language
 * @property {(text: string) => void} play  sends a move
 * @property {() => boolean} mustConfirm  whether every move waits for a second click
 * @property {(text: string) => Promise<string>} fetchGhost
 */

/** @type {[dx: number, dy: number][]} */
const HIT_OFFSETS_PX = [
  [0, 0],
  [1, 1],
  [7, 0],
  [-7, 0],
  [0, 7],
  [0, -7],
];

/** @type {Record<string, [dx: number, dy: number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Picker {
  /**
   * @param {HTMLElement} board  holds the picture
   * @param {HTMLElement} bar  gets the buttons
   * @param {PickerOptions} options
   */
  constructor(board, bar, { say, play, mustConfirm, fetchGhost }) {
    this.board = board;
    this.bar = bar;
    this.say = say;
    this.play = play;
    this.mustConfirm = mustConfirm;
    this.fetchGhost = fetchGhost;
    this.overlay = new Overlay(board);
    this.selection = new Selection();
    /** @type {string[]} */
    this.last = []; // ids of the elements the last move touched
    /** @type {Map<string, SVGGraphicsElement>} */
    this.lit = new Map(); // what can be picked next, by id
    /** @type {Move | null} */
    this.ghostMove = null;
    /** @type {string | null} */
    this.hovered = null;
    this.focused = "";
    this.byKeyboard = false; // then the focus follows the picks
    this.listen();
  }

  listen() {
    const { board, overlay } = this;
    board.addEventListener("click", (event) => this.onClick(/** @type {PointerEvent} */ (event)));
    board.addEventListener("pointermove", (event) => this.onHover(event));
    board.addEventListener("pointerleave", () => this.selection.isEmpty && this.showGhost(null));
    board.addEventListener("wheel", (event) => this.onWheel(event), { passive: false });
    board.addEventListener("focusin", (event) => overlay.showRing(overlay.element(this.pickOf(event.target))));
    board.addEventListener("focusout", () => overlay.showRing(null));
    document.addEventListener("keydown", (event) => this.onKey(event));
  }

  // Picks

  /**
   * New moves to choose from.
   * @param {WireMove[]} moves
   * @param {string[]} last
   */
  set(moves, last) {
    this.last = last;
    this.selection.setMoves(moves);
    this.light();
  }

  /** Show a move as chosen, to be played or cancelled. @param {string} text */
  suggest(text) {
    const { selection } = this;
    const move = selection.moves.find((other) => other.text === text);
    if (!move) return;
    selection.reset();
    selection.path = [...move.picks];
    selection.chosen = move;
    this.light();
  }

  /** @param {string} id */
  pick(id, touch = false) {
    const { selection } = this;
    if (selection.chosen?.picks.at(-1) === id) return this.commit(selection.chosen);
    if (selection.chosen) selection.undoPick();
    if (id === selection.lastPick && !this.lit.has(id))
      return selection.alternatives.length ? this.cycle(1) : this.undoPick();
    selection.path.push(id);
    this.focused = id;
    const [only, ...others] = selection.candidates();
    const isComplete = only && !others.length && only.picks.length <= selection.path.length;
    if (isComplete && !touch && !this.mustConfirm()) return this.commit(only);
    if (isComplete) selection.chosen = only;
    const siblings = this.lit;
    this.light();
    if (isComplete) this.keepLit(siblings);
  }

  /** Play a move. Until the server answers there is nothing to pick. @param {Move} move */
  commit(move) {
    this.selection.reset();
    this.clear();
    this.bar.replaceChildren();
    this.selection.moves = [];
    if (this.byKeyboard) this.board.focus();
    this.play(move.text);
  }

  undoPick() {
    this.selection.undoPick();
    this.light();
  }

  /** @param {number} by */
  cycle(by) {
    this.selection.cycle(by);
    this.show();
  }

  flip() {
    this.selection.flip();
    this.show();
  }

  // What is shown

  /** Show what can be picked next. */
  light() {
    const { overlay, selection } = this;
    this.clear();
    this.lit = new Map();
    for (const id of selection.nextPicks()) {
      const element = overlay.element(id);
      if (element) this.lit.set(id, element);
    }
    selection.findAlternatives(this.lit);
    overlay.addLayer();
    this.last.forEach((id) => overlay.mark(overlay.element(id), "last"));
    selection.path.forEach((id) => overlay.mark(overlay.element(id), "picked"));
    this.lit.forEach((element, id) => overlay.markPickable(element, id));
    overlay.svg?.setAttribute("role", this.lit.size ? "group" : "img");
    this.restoreFocus();
    this.show();
  }

  /** Tab reaches one element of the picture; arrow keys lead to the others. */
  restoreFocus() {
    const picked = this.lit.size ? null : this.overlay.element(this.selection.lastPick);
    const first = picked ?? this.lit.get(this.focused) ?? [...this.lit.values()][0];
    first?.setAttribute("tabindex", "0");
    const active = document.activeElement;
    if (this.byKeyboard && (active === document.body || this.board.contains(active))) first?.focus();
  }

  /**
   * While a move waits to be confirmed, its siblings can still be picked instead.
   * @param {Map<string, SVGGraphicsElement>} siblings
   */
  keepLit(siblings) {
    this.lit = siblings;
    siblings.forEach((element, id) => this.overlay.markPickable(element, id));
    const focused = siblings.get(this.focused);
    focused?.setAttribute("tabindex", "0");
    if (this.byKeyboard) focused?.focus();
  }

  clear() {
    this.showGhost(null);
    this.overlay.clear();
  }

  /** Show the ghost and the buttons for the picks so far. */
  show() {
    const { alternatives, current, isEmpty } = this.selection;
    this.showGhost(current);
    this.bar.replaceChildren();
    if (current) {
      this.addPlayButton(current, "main-button");
      if (alternatives.length > 1) this.addButton(this.say("otherWay"), () => this.cycle(1));
      if (this.selection.flipped().length) this.addButton(this.say("flip"), () => this.flip());
    } else if (isEmpty) {
      for (const move of alternatives) this.addPlayButton(move);
    } else {
      this.bar.append(this.say("pick"), " ");
    }
    if (!isEmpty) this.addButton(this.say("cancel"), () => this.undoPick());
  }

  /** @param {Move} move */
  addPlayButton(move, className = "") {
    this.addButton(this.say("play").replace("{move}", move.text), () => this.commit(move), className);
  }

  /**
   * @param {string} label
   * @param {() => void} onClick
   */
  addButton(label, onClick, className = "") {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", textContent: label, className });
    button.addEventListener("click", onClick);
    this.bar.append(button, " ");
  }

  /** @param {Move | null} move */
  async showGhost(move) {
    this.overlay.removeGhost();
    this.ghostMove = move;
    if (move && move.ghost === null) move.ghost = await this.fetchGhost(move.text);
    if (move?.ghost && this.overlay.svg && this.ghostMove === move && !this.overlay.hasGhost)
      this.overlay.addGhost(move.ghost);
  }

  /** Show the ghost of the only move that goes on with this pick. @param {string | null} id */
  showGhostBy(id) {
    const [only, ...others] = this.selection.movesBy(id);
    this.showGhost(only && !others.length ? only : null);
  }

  // Input

  /** What can be picked at this point or very near: fingers are thick and lines are thin. @param {MouseEvent} event */
  pickAt(event) {
    for (const [dx, dy] of HIT_OFFSETS_PX)
      for (const element of document.elementsFromPoint(event.clientX + dx, event.clientY + dy)) {
        const id = this.pickOf(element);
        if (id) return id;
      }
    return null;
  }

  /** The id of the pickable element around this one. @param {EventTarget | null} target */
  pickOf(target) {
    for (let part = target instanceof Element ? target : null; part && part !== this.board; part = part.parentElement)
      if (part.id && (this.lit.has(part.id) || part.id === this.selection.lastPick)) return part.id;
    return null;
  }

  /** @param {PointerEvent} event */
  onClick(event) {
    this.byKeyboard = event.detail === 0;
    const id = this.pickOf(event.target) ?? (this.byKeyboard ? null : this.pickAt(event));
    if (id) this.pick(id, event.pointerType === "touch");
    else if (!this.selection.isEmpty) this.restart(event);
  }

  /** A click beside everything lit cancels, and begins again with what is there. @param {PointerEvent} event */
  restart(event) {
    this.selection.reset();
    this.light();
    const id = this.pickAt(event);
    if (id) this.pick(id, event.pointerType === "touch");
  }

  /** @param {PointerEvent} event */
  onHover(event) {
    if (event.pointerType === "touch" || this.selection.current) return;
    const id = this.pickAt(event);
    if (id === this.hovered && this.overlay.hasGhost) return;
    this.hovered = id;
    this.showGhostBy(id);
  }

  /** @param {WheelEvent} event */
  onWheel(event) {
    if (!this.selection.path.length || this.selection.alternatives.length < 2) return;
    event.preventDefault();
    this.cycle(event.deltaY > 0 ? 1 : -1);
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (this.handleKey(event)) event.preventDefault();
  }

  /** Whether the key means something now. @param {KeyboardEvent} event */
  handleKey(event) {
    const { selection } = this;
    const id = this.pickOf(event.target);
    const key = event.key.toLowerCase();
    const canCycle = selection.alternatives.length > 1;
    if (key === "escape" && !selection.isEmpty) {
      this.byKeyboard = true;
      this.undoPick();
    } else if (key === "r" && canCycle) this.cycle(event.shiftKey ? -1 : 1);
    else if (key === "f" && canCycle && selection.path.length) this.flip();
    else if (event.key in ARROWS && id) this.moveFocus(id, ARROWS[event.key]);
    else if ((key === "enter" || key === " ") && this.board.contains(/** @type {Node} */ (event.target)))
      this.enter(id);
    else return false;
    return true;
  }

  /** @param {string | null} id */
  enter(id) {
    const { path, alternative } = this.selection;
    this.byKeyboard = true;
    if (path.length && alternative && !(id && this.lit.has(id))) this.commit(alternative);
    else if (id) this.pick(id);
  }

  /**
   * @param {string} id
   * @param {[dx: number, dy: number]} direction
   */
  moveFocus(id, direction) {
    const from = this.overlay.element(id);
    const next = from && nearest(this.lit, from, direction);
    if (!next) return;
    this.lit.forEach((element) => element.setAttribute("tabindex", "-1"));
    const element = this.lit.get(next);
    element?.setAttribute("tabindex", "0");
    element?.focus();
    this.focused = next;
    if (!this.selection.chosen) this.showGhostBy(next);
  }
}
