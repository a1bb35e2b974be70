// From the first click to a move, by mouse, touch and keyboard. The server describes each legal move as picks: the ids
// of the elements of the picture that lead to it, in order. The picker knows no rules.

import { nameOf, nearest, Overlay } from "./overlay.js";
import { isTyping } from "./page.js";
import { Selection } from "./selection.js";

/** @import { Move, WireMove } from "./selection.js" */

/**
 * @typedef {object} PickerOptions
 * @property {(name: string) => string} say  a sentence in the visitor's language
 * @property {(text: string) => void} play  sends a move
 * @property {() => boolean} mustConfirm  whether every move waits for a second click
 * @property {(text: string) => Promise<string>} fetchGhost
 * @property {(picks: string[], touched: string[]) => Promise<Reason | null>} fetchReason  why one of the elements that
 *   were touched cannot be picked after these picks
 */

/** @typedef {{ say: string, id: string }} Reason  a sentence, and the element it is about */

const TURN_PICKS = ["turn-right", "turn-left"]; // elements of the picture that turn what was picked
const MAX_TOUCHED = 8; // elements at one point that the server is asked about

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
export const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Picker {
  /**
   * @param {HTMLElement} board  holds the picture
   * @param {HTMLElement} bar  gets the buttons
   * @param {PickerOptions} options
   */
  constructor(board, bar, { say, play, mustConfirm, fetchGhost, fetchReason }) {
    this.board = board;
    this.bar = bar;
    this.say = say;
    this.play = play;
    this.mustConfirm = mustConfirm;
    this.fetchGhost = fetchGhost;
    this.fetchReason = fetchReason;
    this.overlay = new Overlay(board);
    this.selection = new Selection();
    /** @type {string[]} */
    this.last = []; // ids of the elements the last move touched
    /** @type {string[]} */
    this.stuck = []; // ids of what fits nowhere now
    this.isSending = false; // a move was made, and the server has not answered
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
    for (const touch of ["pointerdown", "keydown"])
      document.addEventListener(touch, () => overlay.hideReason(), { capture: true });
  }

  // Picks

  /**
   * New moves to choose from.
   * @param {WireMove[]} moves
   * @param {string[]} last
   * @param {string[]} [stuck]  what fits nowhere now
   */
  set(moves, last, stuck = []) {
    this.last = last;
    this.stuck = stuck;
    this.isSending = false;
    this.overlay.hideReason();
    this.selection.setMoves(moves);
    this.light();
    if (this.selection.isEmpty) this.takeForced();
  }

  /** Take the only element that can be picked first, and what follows without a choice; nothing is played for it. */
  takeForced() {
    const { lit, selection } = this;
    if (!lit.has(selection.onlyNext() ?? "")) return;
    selection.followForced();
    this.focused = this.lastPlace ?? "";
    this.light();
    if (selection.current && !this.lit.size) this.keepLit(lit);
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

  /** The last pick that is on the picture: touched again, it plays the move that is shown there. */
  get lastPlace() {
    return this.selection.path.findLast((id) => this.overlay.element(id));
  }

  /**
   * Pick, and go on with what leaves no choice. Nobody chose a place that was picked by itself, so a move that it
   * completes waits to be confirmed.
   * @param {string} id
   */
  pick(id, touch = false) {
    const { selection, overlay } = this;
    const { current } = selection;
    if (current && id === this.lastPlace) return this.confirm(current);
    if (id === selection.lastChoice && (current || !this.lit.has(id))) return this.undoPick();
    if (selection.path.includes(id) && !this.lit.has(id)) return; // there was no choice, so it stays in hand
    if (current && !selection.nextPicks().has(id)) selection.undoPick(); // something else instead
    const chosen = selection.path.length + 1;
    selection.pick(id);
    const isForced = selection.path.slice(chosen).some((next) => overlay.element(next));
    const [only, ...others] = selection.candidates();
    const isComplete = only && !others.length && only.picks.length <= selection.path.length;
    if (isComplete && !isForced && !touch && !this.mustConfirm()) return this.commit(only);
    if (isComplete) selection.chosen = only;
    this.focused = this.lastPlace ?? id;
    const siblings = this.lit;
    this.light();
    if (selection.current && !this.lit.size) this.keepLit(siblings);
    if (this.stuck.includes(id)) this.overlay.showReason(this.say("stuck"), id);
  }

  /** Take a piece in hand, whatever it could lead to. @param {string} id */
  hold(id) {
    this.selection.reset();
    this.selection.pick(id, false);
    this.light();
  }

  /** A second touch of what is shown plays it. Where every move is asked about, only the button does. @param {Move} move */
  confirm(move) {
    if (this.mustConfirm()) this.bar.querySelector("button")?.focus();
    else this.commit(move);
  }

  /** Play a move. Until the server answers there is nothing to pick. @param {Move} move */
  commit(move) {
    this.selection.reset();
    this.clear();
    this.bar.replaceChildren();
    this.selection.moves = [];
    this.isSending = true;
    if (this.byKeyboard) this.board.focus();
    this.play(move.text);
  }

  undoPick() {
    this.selection.undoPick();
    this.light();
  }

  /** Turn clockwise, or by -1 against the clock; a sixth or a quarter, whatever the pieces of the game do. @param {number} by */
  turn(by) {
    const { selection } = this;
    const [first, second] = by > 0 ? TURN_PICKS : [...TURN_PICKS].reverse();
    const pick = selection.lastChoice === first ? second : first;
    if (this.lit.has(pick)) this.pick(pick, true);
    else selection.turn(by);
    this.show();
  }

  flip() {
    this.selection.flip();
    this.show();
  }

  /** Whether R turns something now. */
  get canTurn() {
    return this.selection.turns().length > 1 || TURN_PICKS.some((id) => this.lit.has(id));
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
    this.stuck.forEach((id) => overlay.element(id)?.classList.add("stuck"));
    selection.path.forEach((id) => overlay.mark(overlay.element(id), "picked"));
    this.lit.forEach((element, id) => overlay.markPickable(element, id));
    overlay.svg?.setAttribute("role", this.lit.size || this.lastPlace ? "group" : "img");
    this.restoreFocus();
    this.show();
  }

  /** Tab reaches one element of the picture; arrow keys lead to the others. */
  restoreFocus() {
    const picked = this.lit.size ? null : this.overlay.element(this.lastPlace);
    const first = picked ?? this.lit.get(this.focused) ?? [...this.lit.values()][0];
    if (picked) this.overlay.nameButton(picked, this.lastPlace ?? "");
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
    const focused = this.overlay.element(this.focused);
    focused?.setAttribute("tabindex", "0");
    if (this.byKeyboard) focused?.focus();
  }

  clear() {
    this.showGhost(null);
    this.overlay.clear();
  }

  /** Show the ghost and the buttons for the picks so far. */
  show() {
    const { alternatives, canFlip, current, isEmpty } = this.selection;
    this.showGhost(current).then(() => current && this.overlay.keepGhostAbove(this.bar));
    this.bar.replaceChildren();
    if (current) {
      this.addPlayButton(current, "main-button");
      if (this.selection.turns().length > 1)
        this.addButton(this.say("otherWay"), () => this.turn(1)).setAttribute("aria-keyshortcuts", "R");
      if (canFlip) this.addButton(this.say("flip"), () => this.flip()).setAttribute("aria-keyshortcuts", "F");
    } else if (isEmpty) {
      for (const move of alternatives) this.addPlayButton(move);
    } else {
      const next = document.createElement("span");
      Object.assign(next, { className: "pick-next", textContent: this.say("pick") });
      this.bar.append(next, " ");
    }
    if (!current) this.lit.forEach((element, id) => this.addKeyButton(element, id));
    if (!isEmpty) this.addButton(this.say("cancel"), () => this.undoPick());
  }

  /** @param {Move} move */
  addPlayButton(move, className = "") {
    const label = move.label || this.say("play").replace("{move}", move.text);
    this.addButton(label, () => this.commit(move), className).dataset.move = move.text;
  }

  /**
   * The keys on the picture are small signs; the bar has them in words.
   * @param {Element} element
   * @param {string} id
   */
  addKeyButton(element, id) {
    const name = element.classList.contains("key") ? nameOf(element, id) : "";
    if (name) this.addButton(name[0].toUpperCase() + name.slice(1), () => this.pick(id));
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
    return button;
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
      if (part.id && this.isPickable(part.id)) return part.id;
    return null;
  }

  /** @param {string} id */
  isPickable(id) {
    return this.lit.has(id) || id === this.lastPlace || id === this.selection.lastChoice;
  }

  /** @param {PointerEvent} event */
  onClick(event) {
    this.byKeyboard = event.detail === 0;
    const { current } = this.selection;
    const isTouch = event.pointerType === "touch";
    if (current && !this.byKeyboard && this.overlay.isOnGhost(event)) return this.confirm(current);
    const id = this.pickOf(event.target) ?? (this.byKeyboard ? null : this.pickAt(event));
    if (id) this.pick(id, isTouch);
    else if (!this.isSending && !this.byKeyboard) this.refuse(event, isTouch);
  }

  /**
   * A click on what cannot be picked: another piece is taken instead, else the reason is told and what is in hand stays
   * there. A click beside everything cancels.
   * @param {PointerEvent} event
   * @param {boolean} isTouch
   */
  async refuse(event, isTouch) {
    const { overlay, selection } = this;
    const touched = this.touchedAt(event);
    const piece = touched.find((id) =>
      selection.moves.some(({ picks }) => picks[0] === id && overlay.element(picks[1])),
    );
    const path = [...selection.path];
    const reason = piece ? null : await this.reasonFor(touched);
    if (path.join() !== selection.path.join()) return; // too late
    if (reason) return overlay.showReason(reason.say, reason.id);
    if (selection.isEmpty) return;
    selection.reset();
    this.light();
    const id = this.pickAt(event);
    if (id) this.pick(id, isTouch);
  }

  /**
   * Why nothing there can be picked, or that the server does not answer; null if there is nothing to say.
   * @param {string[]} touched
   */
  async reasonFor(touched) {
    const { choices, current, moves, path } = this.selection;
    const stuck = choices.length ? undefined : touched.find((id) => this.stuck.includes(id));
    if (stuck) return { say: this.say("stuck"), id: stuck };
    if (!touched.length) return null;
    const held = current ? path.slice(0, path.indexOf(this.lastPlace ?? "")) : path;
    const unanswered = { say: this.say("unanswered"), id: touched[0] };
    return this.fetchReason(held, moves.length ? touched : []).catch(() => unanswered);
  }

  /** The ids of all elements at this point, the uppermost first. @param {MouseEvent} event */
  touchedAt(event) {
    /** @type {string[]} */
    const found = [];
    for (const element of document.elementsFromPoint(event.clientX, event.clientY))
      for (let part = element; this.overlay.svg?.contains(part); part = /** @type {Element} */ (part.parentNode))
        if (part.id && !found.includes(part.id)) found.push(part.id);
    return found.slice(0, MAX_TOUCHED);
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
    if (!this.selection.path.length || this.selection.turns().length < 2) return;
    event.preventDefault();
    this.turn(event.deltaY > 0 ? 1 : -1);
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector("dialog[open]")) return; // keys belong to what is in front
    if (this.handleKey(event)) event.preventDefault();
  }

  /** Whether the key means something now. @param {KeyboardEvent} event */
  handleKey(event) {
    const { selection } = this;
    const id = this.pickOf(event.target);
    const key = event.key.toLowerCase();
    if (key === "escape" && !selection.isEmpty) {
      this.byKeyboard = true;
      this.undoPick();
    } else if (key === "r" && this.canTurn) this.turn(event.shiftKey ? -1 : 1);
    else if (key === "f" && selection.canFlip && selection.path.length) this.flip();
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
    if (path.length && alternative && !(id && this.lit.has(id))) this.confirm(alternative);
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
    if (!this.selection.current) this.showGhostBy(next);
  }
}
