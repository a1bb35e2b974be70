// The picks made so far, and the legal moves they can still lead to.

/**
 * A legal move as the server sends it: its text, the ids to pick on the picture, its ghost as SVG, and what its button
 * says, if there are words for it. A ghost of null is fetched when it is first shown.
 * @typedef {[text: string, picks: string[], ghost: string | null, label?: string]} WireMove
 */

/** @typedef {{ text: string, picks: string[], ghost: string | null, label?: string }} Move */

const TURNS = 4; // of a piece on squares: way-0 to way-3 turn it clockwise, way-4 to way-7 its mirror image

export class Selection {
  constructor() {
    /** @type {Move[]} */
    this.moves = [];
    /** @type {string[]} */
    this.path = []; // picks so far
    /** @type {number[]} */
    this.choices = []; // where in the path somebody chose; the other picks left no choice
    /** @type {Move | null} */
    this.chosen = null; // waits to be confirmed
    /** @type {Move[]} */
    this.alternatives = []; // moves that need no more picks, to turn through
    this.index = 0; // of the alternative that is shown
    /** @type {string | undefined} */
    this.orientation = undefined; // last pick of the alternative that somebody turned to
    /** @type {string | undefined} */
    this.turnedPiece = undefined; // first pick of it
  }

  /** Picks so far are kept if somebody chose them and they still lead to a move. @param {WireMove[]} moves */
  setMoves(moves) {
    this.moves = moves.map(([text, picks, ghost, label]) => ({ text, picks, ghost, label }));
    if (!this.candidates().length || !this.choices.length || this.chosen) this.reset();
  }

  reset() {
    this.path = [];
    this.choices = [];
    this.index = 0;
    this.chosen = null;
  }

  /** Choose this, and what follows without a choice. @param {string} id */
  pick(id, follow = true) {
    this.choices.push(this.path.length);
    this.path.push(id);
    if (follow) this.followForced();
  }

  /** Make the picks that leave no choice. */
  followForced() {
    for (let next = this.onlyNext(); next; next = this.onlyNext()) this.path.push(next);
  }

  /** The pick with which every move goes on. */
  onlyNext() {
    const [first, ...others] = this.candidates().map((move) => move.picks[this.path.length]);
    return others.every((next) => next === first) ? first : undefined;
  }

  /** Take the last choice back. */
  undoPick() {
    this.path.length = this.choices.pop() ?? 0;
    this.index = 0;
    this.chosen = null;
  }

  get isEmpty() {
    return !this.path.length && !this.chosen;
  }

  /** The last pick that somebody chose. @returns {string | undefined} */
  get lastChoice() {
    return this.path[this.choices.at(-1) ?? -1];
  }

  /** The move that would be played now. */
  get current() {
    return this.chosen ?? (this.path.length ? this.alternative : undefined) ?? null;
  }

  get alternative() {
    return this.alternatives[this.index];
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
    const isChoice = this.path.length || !offered.size;
    const found = this.candidates().filter((move) => !offered.has(move.picks[this.path.length]));
    this.alternatives = isChoice ? found : [];
    this.index = Math.max(0, found.indexOf(this.oriented(found)));
  }

  /** The move that lies as somebody last turned a piece, or is the next clockwise from there. @param {Move[]} moves */
  oriented(moves) {
    return nextClockwise(moves, wayOf(this.orientation)) ?? inOrder(moves)[0];
  }

  /** What a turn leads through: the alternatives with the same side up. */
  turns() {
    const here = wayOf(this.alternative?.picks.at(-1));
    return this.alternatives.filter((move) => sideOf(wayOf(move.picks.at(-1))) === sideOf(here));
  }

  /** Turn to the next alternative clockwise, or by -1 to the next against the clock. @param {number} by */
  turn(by) {
    const found = inOrder(this.turns());
    if (found.length > 1) this.show(found[(found.indexOf(this.alternative) + by + found.length) % found.length]);
  }

  /** Whether the other side can be up. */
  get canFlip() {
    return this.turns().length < this.alternatives.length;
  }

  /** Turn to the mirror image, or to the next clockwise from it. */
  flip() {
    const here = wayOf(this.alternative?.picks.at(-1));
    const mirrored = ((TURNS - (here % TURNS)) % TURNS) + TURNS * (1 - sideOf(here));
    const turns = this.turns();
    const next = nextClockwise(
      this.alternatives.filter((move) => !turns.includes(move)),
      mirrored,
    );
    if (next) this.show(next);
  }

  /** @param {Move} move */
  show(move) {
    this.index = this.alternatives.indexOf(move);
    this.orientation = move.picks.at(-1);
    this.turnedPiece = move.picks[0];
  }

  /** Whether somebody turned this piece so that it lies as in this move. @param {Move} move */
  isTurnedTo({ picks }) {
    return picks[0] === this.turnedPiece && picks.at(-1) === this.orientation;
  }
}

/** Which way a piece lies by the last pick of a move; -1 if that is no way. @param {string | undefined} pick */
function wayOf(pick) {
  return Number(/^way-(\d)$/.exec(pick ?? "")?.[1] ?? -1);
}

/** Which side is up: 0 or 1, the mirror image; -1 of what has no sides. @param {number} way */
function sideOf(way) {
  return Math.floor(way / TURNS);
}

/** The moves clockwise; others as they come. @param {Move[]} moves */
function inOrder(moves) {
  return [...moves].sort((one, other) => wayOf(one.picks.at(-1)) - wayOf(other.picks.at(-1)));
}

/**
 * The move that lies this way, or else the next clockwise with the same side up.
 * @param {Move[]} moves
 * @param {number} way
 */
function nextClockwise(moves, way) {
  const found = inOrder(moves).filter((move) => sideOf(wayOf(move.picks.at(-1))) === sideOf(way));
  return found.find((move) => wayOf(move.picks.at(-1)) >= way) ?? found[0];
}
