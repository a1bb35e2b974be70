// The picks made so far, and the legal moves they can still lead to.

/**
 * A legal move as the server sends it: its text, the ids to pick on the picture, and its ghost as SVG. A ghost of null
 * is fetched when it is first shown.
 * @typedef {[text: string, picks: string[], ghost: string | null]} WireMove
 */

/** @typedef {{ text: string, picks: string[], ghost: string | null }} Move */

export class Selection {
  constructor() {
    /** @type {Move[]} */
    this.moves = [];
    /** @type {string[]} */
    this.path = []; // picks so far
    /** @type {Move | null} */
    this.chosen = null; // waits to be confirmed
    /** @type {Move[]} */
    this.alternatives = []; // moves that need no more picks, to cycle through
    this.index = 0; // of the alternative that is shown
    /** @type {string | undefined} */
    this.orientation = undefined; // last pick of the alternative that was shown last
  }

  /** Picks so far are kept if they still lead to a move. @param {WireMove[]} moves */
  setMoves(moves) {
    this.moves = moves.map(([text, picks, ghost]) => ({ text, picks, ghost }));
    if (!this.candidates().length || this.chosen) this.reset();
  }

  reset() {
    this.path = [];
    this.index = 0;
    this.chosen = null;
  }

  undoPick() {
    this.path.pop();
    this.index = 0;
    this.chosen = null;
  }

  get isEmpty() {
    return !this.path.length && !this.chosen;
  }

  get lastPick() {
    return this.path.at(-1);
  }

  /** The move that would be played now. */
  get current() {
    return this.chosen ?? (this.path.length ? this.alternative : undefined) ?? null;
  }

  get alternative() {
    return this.alternatives[this.index % this.alternatives.length];
  }

  /** Moves that begin with the picks so far. */
  candidates() {
    return this.moves.filter((move) => this.path.every((pick, step) => move.picks[step] === pick));
  }

  /** Moves that go on with this pick. @param {string | null} id */
  movesBy(id) {
    return this.candidates().filter((move) => move.picks[this.path.length] === id);
  }

  /** What can be picked next. */
  nextPicks() {
    return new Set(this.candidates().flatMap((move) => move.picks[this.path.length] ?? []));
  }

  /** Find the moves that need no pick of those on offer. @param {{ size: number, has(id: string): boolean }} offered */
  findAlternatives(offered) {
    const found = this.candidates();
    const oriented = found.findIndex((move) => move.picks.at(-1) === this.orientation);
    this.index = Math.max(0, oriented);
    const isChoice = this.path.length || !offered.size;
    this.alternatives = isChoice ? found.filter((move) => !offered.has(move.picks[this.path.length])) : [];
  }

  /** @param {number} by */
  cycle(by) {
    this.index = (this.index + by + this.alternatives.length) % this.alternatives.length;
    this.orientation = this.alternative.picks.at(-1);
  }

  /** The alternatives with the other side up, the mirror image first: way-0 to way-3 are rotations of one side. */
  flipped() {
    const here = wayOf(this.alternative);
    const mirrored = here < 4 ? 4 + ((4 - here) % 4) : (8 - here) % 4;
    const distance = (/** @type {Move} */ move) => (wayOf(move) - mirrored + 4) % 4;
    return this.alternatives
      .filter((move) => wayOf(move) < 4 !== here < 4)
      .sort((one, other) => distance(one) - distance(other));
  }

  flip() {
    const [mirror] = this.flipped();
    if (mirror) this.cycle(this.alternatives.indexOf(mirror) - this.index);
  }
}

/** Which of the eight ways to lay a piece a move ends with; NaN for other moves. @param {Move | undefined} move */
function wayOf(move) {
  return Number(/^way-(\d)$/.exec(move?.picks.at(-1) ?? "")?.[1] ?? NaN);
}
