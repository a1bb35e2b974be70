// A table's screen as one connection received it. After the first whole screen the server sends only what changed.

/** @import { WireMove } from "./selection.js" */
/** @import { Screen } from "./connection.js" */

const PART_SEPARATOR = "\u001e";

/**
 * A part of the HTML, the position in it, how many characters are replaced there, and by what.
 * @typedef {[part: number, at: number, removed: number, inserted: string]} Change
 */

/**
 * The whole HTML or its changes; moves that were sent before are only named.
 * @typedef {Omit<Screen, "html" | "moves"> & { html?: string, changes?: Change[], moves: (WireMove | string)[] }} ScreenUpdate
 */

export class ReceivedScreen {
  constructor() {
    /** @type {string[]} */
    this.parts = [];
    /** @type {Map<string, WireMove>} */
    this.moves = new Map();
  }

  /**
   * The whole screen after an update.
   * @param {ScreenUpdate} update
   * @returns {Screen}
   */
  apply(update) {
    if (update.html !== undefined) this.parts = update.html.split(PART_SEPARATOR);
    for (const [part, at, removed, inserted] of update.changes ?? []) {
      const old = this.parts[part];
      this.parts[part] = old.slice(0, at) + inserted + old.slice(at + removed);
    }
    return { ...update, html: this.parts.join(""), moves: update.moves.map((move) => this.resolve(move)) };
  }

  /** @param {WireMove | string} move */
  resolve(move) {
    if (typeof move === "string") return /** @type {WireMove} */ (this.moves.get(move));
    this.moves.set(move[0], move);
    return move;
  }
}
