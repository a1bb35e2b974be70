// What happened, scene by scene and beat by beat: each is shown until it was seen. A scene is a move, a beat what is
// shown and said together. Scenes that arrive meanwhile wait.

import { preference } from "./preferences.js";

/** @import { Motion } from "./animate.js" */
/** @import { Screen } from "./connection.js" */

export const MOTION_MS = 420; // the longest animation of a beat
export const QUIET_STEP_MS = 260; // from beat to beat where none has to be read before one may go on
export const MAX_QUEUED = 12; // scenes; of more, only the last are shown

/** How long a sentence is held: so much, and so much more for each character. */
export const PACES = {
  slow: { base: 900, character: 60 },
  usual: { base: 450, character: 30 },
  quick: { base: 180, character: 12 },
};

/** @typedef {keyof typeof PACES} Pace */
/**
 * What is shown and said together; `cues` name its sentences.
 * @typedef {{ say: string, cues: string[], motions: Motion[] }} Beat
 */

/**
 * A scene as the server sends it.
 * @typedef {object} ToldScene
 * @property {Beat[]} beats
 * @property {string} picture  the board it ends with; empty for the screen's own
 * @property {boolean} taken  whether somebody lost something
 * @property {boolean} holds  whether it has to be seen before one's own turn begins
 * @property {boolean} aside  whether there is nothing to see
 */

/**
 * A scene to be shown. At its end the page becomes its screen, if it has one.
 * @typedef {ToldScene & { own: boolean, screen: Screen | null }} Scene
 */

/**
 * What a story is shown on.
 * @typedef {object} Stage
 * @property {() => Pace} pace
 * @property {(scene: Scene, starts: number[], open: boolean) => void} begin  `open`: the turn begins at once
 * @property {(beat: Beat) => void} tell
 * @property {(scene: Scene) => void} end
 * @property {(ms: number) => void} seek  go on to this moment of the scene
 * @property {(paused: boolean) => void} pause
 * @property {(held: boolean) => void} hold  whether there is more to see before the page is what it says
 */

/** The pace that the visitor has chosen. */
export function chosenPace() {
  const pace = preference("pace");
  return pace in PACES ? /** @type {Pace} */ (pace) : "usual";
}

/**
 * How long a beat is shown.
 * @param {Beat} beat
 * @param {Pace} pace
 */
export function beatMs({ say, motions }, pace) {
  const { base, character } = PACES[pace];
  return (motions.some(({ kind }) => kind !== "show") ? MOTION_MS : 0) + (say ? base + character * say.length : 0);
}

/**
 * When each beat begins, and at last when all are over, in milliseconds.
 * @param {Beat[]} beats
 * @param {Pace} pace
 */
export function timeline(beats, pace) {
  const starts = [0];
  for (const beat of beats) starts.push(starts[starts.length - 1] + beatMs(beat, pace));
  return starts;
}

export class Story {
  /** @param {Stage} stage */
  constructor(stage) {
    this.stage = stage;
    /** @type {Scene[]} */
    this.queue = [];
    /** @type {Scene | null} */
    this.scene = null; // that is being shown
    this.open = false; // nothing is lost if one goes on before it is over
    /** @type {number[]} */
    this.starts = [];
    this.beat = 0;
    this.leftMs = 0; // of the beat, when it was last paused
    this.since = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    document.addEventListener("visibilitychange", () => this.onVisibility());
  }

  /** Whether the page is not yet what its newest screen says. */
  get isHeld() {
    return this.queue.length > 0 || (this.scene !== null && !this.open);
  }

  /** Tell these after what is told already; one's own move is shown at once. @param {Scene[]} scenes */
  add(scenes) {
    const own = scenes.findLastIndex((scene) => scene.own);
    if (own >= 0) this.drop();
    this.queue.push(...scenes.slice(Math.max(own, 0)));
    this.queue = this.queue.slice(-MAX_QUEUED);
    if (this.scene) this.stage.hold(this.isHeld);
    else this.next();
  }

  /**
   * A screen of which there is nothing to tell: it comes at the end of what is told. Whether it has to wait.
   * @param {Screen} screen
   */
  postpone(screen) {
    const last = this.queue.at(-1) ?? (this.open ? null : this.scene);
    if (last) last.screen = screen;
    return last !== null;
  }

  /** On to the next beat, at once. */
  goOn() {
    if (!this.scene) return;
    const beat = this.open ? this.scene.beats.length : this.beat + 1;
    this.stage.seek(this.starts[beat]);
    this.enter(beat);
  }

  /** While a story is told, a tap on the board or a key goes on; nothing can be picked yet. @param {HTMLElement} board */
  goOnBy(board) {
    const goOn = (/** @type {Event} */ event) => {
      event.preventDefault();
      event.stopPropagation();
      this.goOn();
    };
    const isOnBoard = (/** @type {Event} */ event) => board.contains(/** @type {Node} */ (event.target));
    const isKey = (/** @type {KeyboardEvent} */ { key, target }) =>
      ["Enter", " "].includes(key) && (target === document.body || board.contains(/** @type {Node} */ (target)));
    document.addEventListener("click", (event) => this.isHeld && isOnBoard(event) && goOn(event), { capture: true });
    document.addEventListener("keydown", (event) => this.isHeld && isKey(event) && goOn(event), { capture: true });
  }

  /** Tell no more of it. */
  drop() {
    clearTimeout(this.timer);
    this.queue = [];
    this.scene = null;
    this.stage.hold(false);
  }

  next() {
    if (document.hidden || !this.queue.length) return this.stage.hold(this.isHeld);
    const scene = /** @type {Scene} */ (this.queue.shift());
    this.scene = scene;
    this.open = !scene.holds && !this.queue.length;
    this.starts = timeline(scene.beats, this.stage.pace());
    this.stage.begin(scene, this.open ? scene.beats.map((_, beat) => beat * QUIET_STEP_MS) : this.starts, this.open);
    this.stage.hold(this.isHeld);
    this.enter(0);
  }

  /** @param {number} beat */
  enter(beat) {
    const scene = /** @type {Scene} */ (this.scene);
    clearTimeout(this.timer);
    this.beat = beat;
    if (beat < scene.beats.length) {
      if (!this.open) this.stage.tell(scene.beats[beat]);
      this.wait(this.starts[beat + 1] - this.starts[beat]);
    } else {
      this.scene = null;
      if (!this.open) this.stage.end(scene);
      this.next();
    }
  }

  /** @param {number} ms */
  wait(ms) {
    this.leftMs = ms;
    this.since = performance.now();
    if (!document.hidden) this.timer = setTimeout(() => this.enter(this.beat + 1), ms);
  }

  /** What is not seen is not told: while the page is hidden, the story waits. */
  onVisibility() {
    if (!this.scene) return this.next();
    clearTimeout(this.timer);
    this.stage.pause(document.hidden);
    if (document.hidden) this.leftMs -= performance.now() - this.since;
    else this.wait(Math.max(this.leftMs, 0));
  }
}
