// Animates the picture from one position to the next: elements slide, turn over, appear and disappear, in the order
// the server gives. Both pictures are whole; only the way between them is shown here.

import { SVG_NAMESPACE } from "./overlay.js";

const HELD_MS = 1; // where motion is switched off, pictures are held and then change
const TRANSIENT_MS = 260; // that what is between two pictures stays longer
const HALF_FLIP_MS = 180;
const STAGGER_MS = 45; // between elements that the server did not put in order
const MAX_STAGGERED = 12;
const MIN_DISTANCE = 2; // in units of the picture: less is no movement
const OVERLAYS = "#ghost, #lights, #leaving, defs"; // in the picture's element, but not part of the picture

/**
 * What the server tells to show. `what` is the id of an element, `to` its id afterwards, if another; `svg` draws
 * something that is on neither picture; "go" takes it away; "show" only says that a sentence is about it.
 * @typedef {object} Motion
 * @property {"move" | "turn" | "flip" | "appear" | "go" | "show"} kind
 * @property {string} what
 * @property {string} to
 * @property {string} svg
 */

/**
 * Where an element was, in the picture's coordinates (the page may scroll meanwhile), and what it looked like.
 * @typedef {object} Pose
 * @property {SVGGraphicsElement} element
 * @property {DOMPoint} centre
 * @property {DOMMatrix} parentMatrix
 * @property {number} size
 * @property {SVGElement} clone  without its content
 * @property {string} content
 * @property {number} angle
 */

/** @typedef {SVGSVGElement | null} Picture */

/** @type {Animation[]} */
let running = [];
/** @type {Element[]} */
let copies = []; // of what has not changed yet, each in its place

function motionIsOff() {
  return document.documentElement.dataset.motion === "off" || matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/**
 * @param {SVGSVGElement} svg
 * @param {SVGGraphicsElement} element
 * @returns {Pose}
 */
function poseOf(svg, element) {
  const box = element.getBoundingClientRect();
  const toPicture = screenMatrix(svg).inverse();
  return {
    element,
    centre: toPicture.transformPoint({ x: box.x + box.width / 2, y: box.y + box.height / 2 }),
    parentMatrix: toPicture.multiply(screenMatrix(element.parentNode)),
    size: Math.sqrt(box.width * box.height) * toPicture.a,
    clone: /** @type {SVGElement} */ (element.cloneNode(false)),
    content: element.innerHTML,
    angle: angleOf(element),
  };
}

/** @param {Node | null} element */
function screenMatrix(element) {
  return DOMMatrix.fromMatrix(/** @type {SVGGraphicsElement} */ (element).getScreenCTM() ?? undefined);
}

/** The rotation of the first rotated thing inside, in degrees. @param {Element} element */
function angleOf(element) {
  return Number(/rotate\((-?[\d.]+)/.exec(element.innerHTML)?.[1] ?? 0);
}

/** What is drawn: names that only a pointer or a screen reader finds are no change to look at. @param {string} content */
function looksOf(content) {
  return content.replaceAll(/<title>.*?<\/title>/gs, "");
}

/** Whether an element without named parts looks different now. @param {Element} element @param {Pose} old */
function hasChanged(element, old) {
  return !element.querySelector("[id]") && looksOf(old.content) !== looksOf(element.innerHTML);
}

/**
 * @param {SVGSVGElement} svg
 * @returns {SVGGraphicsElement[]}
 */
function elementsOf(svg) {
  const all = /** @type {NodeListOf<SVGGraphicsElement>} */ (svg.querySelectorAll("[id]"));
  return [...all].filter((element) => !element.closest(OVERLAYS));
}

/**
 * @param {Element} root
 * @param {string | undefined} id
 * @returns {SVGGraphicsElement | null}
 */
function find(root, id) {
  return id ? root.querySelector(`#${CSS.escape(id)}`) : null;
}

/** Show everything as it is in the end. */
export function finish() {
  running.forEach((animation) => animation.cancel());
  running = [];
  copies.forEach((copy) => copy.remove());
  copies = [];
  document.getElementById("leaving")?.remove();
}

/** Go on to a moment after the beginning. @param {number} ms */
export function seek(ms) {
  for (const animation of running) animation.currentTime = Math.max(Number(animation.currentTime), ms);
}

/** @param {boolean} paused */
export function pause(paused) {
  for (const animation of running)
    if (animation.playState !== "finished" && animation.playState !== "idle")
      paused ? animation.pause() : animation.play();
}

/**
 * Remember where everything on the picture is, before it changes.
 * @param {Picture} svg
 * @returns {Map<string, Pose>}
 */
export function capture(svg) {
  finish();
  if (!svg?.getScreenCTM()) return new Map();
  return new Map(elementsOf(svg).map((element) => [element.id, poseOf(svg, element)]));
}

/**
 * Show the way from what was captured to the picture as it is now: the motions of each beat when it starts, at
 * `othersAt` all else.
 * @param {Picture} svg
 * @param {Map<string, Pose>} before
 * @param {{ motions: Motion[] }[]} beats
 * @param {number[]} starts  in milliseconds
 */
export function animate(svg, before, beats = [], starts = [], othersAt = 0) {
  if (!before.size || !svg || (motionIsOff() && !starts.some(Boolean))) return;
  const animator = new Animator(svg, before, othersAt);
  beats.forEach(({ motions }, beat) => motions.forEach((motion) => animator.showMotion(motion, starts[beat])));
  animator.showOthers();
}

class Animator {
  /**
   * @param {SVGSVGElement} svg
   * @param {Map<string, Pose>} before
   * @param {number} othersAt
   */
  constructor(svg, before, othersAt) {
    this.svg = svg;
    this.before = before;
    this.othersAt = othersAt;
    this.isOff = motionIsOff();
    /** @type {Set<string>} */
    this.shown = new Set(); // ids
    this.staggered = 0;
    this.leaving = document.createElementNS(SVG_NAMESPACE, "g"); // holds what is no longer on the picture
    this.leaving.id = "leaving";
    this.leaving.setAttribute("aria-hidden", "true");
    svg.append(this.leaving);
  }

  /**
   * @param {Motion} motion
   * @param {number} delay
   */
  showMotion({ kind, what, to, svg }, delay) {
    const old = this.before.get(what);
    const element = find(this.svg, to || what);
    if (kind === "show") return this.showTold(element, old, delay);
    if (svg && !element) this.showTransient(svg, what, delay);
    else if (kind === "go") old ? this.leave(old, delay) : this.endTransient(what, delay);
    else if (element && !old) this.appear(element, delay);
    else if (element && old && kind !== "appear") this[kind](element, old, delay);
    this.shown.add(what);
    if (element) this.shown.add(element.id);
  }

  /**
   * What a sentence is about changes when that is said; what has parts with names of their own is left to them.
   * @param {SVGGraphicsElement | null} element
   * @param {Pose | undefined} old
   * @param {number} delay
   */
  showTold(element, old, delay) {
    if (!element || !old || this.isShown(element) || !hasChanged(element, old)) return;
    this.change(element, old, delay);
    this.shown.add(element.id);
  }

  /** What no motion told of: it slides if it moved, and fades if it changed, appeared or disappeared. */
  showOthers() {
    for (const element of elementsOf(this.svg)) if (!this.isShown(element)) this.showOther(element);
    for (const [id, old] of this.before)
      if (
        !this.shown.has(id) &&
        !find(this.svg, id) &&
        !this.svg.contains(old.element) &&
        !this.leavesWithParent(old)
      )
        this.leave(old, this.othersAt);
  }

  /** @param {SVGGraphicsElement} element */
  showOther(element) {
    const old = this.before.get(element.id);
    if (!old) return this.appear(element, this.stagger());
    const isWhole = !element.querySelector("[id]");
    const changed = hasChanged(element, old);
    const waits = this.othersAt > 0; // until then what is whole looks as it did, where it was
    const moved = waits ? isWhole && !changed && this.move(element, old, this.othersAt) : this.move(element, old, 0);
    if (changed && !moved) this.change(element, old, this.stagger());
  }

  /** Whether a motion told of this, or of something around or inside it. @param {Element} element */
  isShown(element) {
    return [...this.shown].some((id) => id && (element.closest(`#${CSS.escape(id)}`) || find(element, id)));
  }

  /** @param {Pose} old */
  leavesWithParent(old) {
    const parent = old.element.parentElement?.closest("[id]");
    return Boolean(parent && parent !== this.leaving && this.before.has(parent.id));
  }

  stagger() {
    return this.othersAt + STAGGER_MS * Math.min(this.staggered++, MAX_STAGGERED);
  }

  /**
   * @param {Element} element
   * @param {PropertyIndexedKeyframes} frames
   * @param {number} duration
   * @param {number} delay
   */
  play(element, frames, duration, delay, easing = "ease-in-out") {
    if (this.isOff && !delay) return Promise.resolve();
    const animation = element.animate(frames, {
      duration: this.isOff ? HELD_MS : duration,
      delay,
      fill: "both",
      easing,
    });
    running.push(animation);
    return animation.finished.then(
      () => animation.cancel(),
      () => {},
    );
  }

  /**
   * @param {SVGGraphicsElement} element
   * @param {number} delay
   */
  appear(element, delay) {
    const { centre } = poseOf(this.svg, element);
    this.play(element, { opacity: [0, 1], ...this.frames(element, centre, 0.5, 0.5) }, 300, delay, "ease-out");
  }

  /**
   * Fade to what it is now; until then it is what it was.
   * @param {SVGGraphicsElement} element
   * @param {Pose} old
   * @param {number} delay
   */
  change(element, old, delay) {
    if (delay) this.keepCopy(element, old, delay);
    this.play(element, { opacity: [delay ? 0 : 0.1, 1] }, 420, delay);
  }

  /**
   * Show what it was, in its place, where nothing is covered that was not covered before.
   * @param {SVGGraphicsElement} element
   * @param {Pose} old
   * @param {number} delay
   */
  keepCopy(element, old, delay) {
    const copy = old.clone;
    copy.innerHTML = old.content;
    copy.removeAttribute("id");
    element.before(copy);
    copies.push(copy);
    this.play(copy, { opacity: [1, 0] }, HELD_MS, delay).then(() => copy.remove());
  }

  /**
   * Slide from where it was; whether it moved at all.
   * @param {SVGGraphicsElement} element
   * @param {Pose} old
   * @param {number} delay
   */
  move(element, old, delay) {
    const now = poseOf(this.svg, element);
    const moved = Math.hypot(old.centre.x - now.centre.x, old.centre.y - now.centre.y) > MIN_DISTANCE;
    const ratio = now.size ? old.size / now.size : 1;
    const scale = Math.abs(ratio - 1) < 0.15 ? 1 : ratio;
    if (moved) this.play(element, this.frames(element, old.centre, scale, scale), 420, delay);
    return moved;
  }

  /**
   * @param {SVGGraphicsElement} element
   * @param {Pose} old
   * @param {number} delay
   */
  turn(element, old, delay) {
    const rotated = element.querySelector('[transform*="rotate"]');
    const by = ((old.angle - angleOf(element) + 540) % 360) - 180;
    if (rotated && by) this.play(rotated, { rotate: [`${by}deg`, "0deg"] }, 420, delay);
  }

  /**
   * Turn over: the old side narrows to an edge, and the new one opens from there.
   * @param {SVGGraphicsElement} element
   * @param {Pose} old
   * @param {number} delay
   */
  flip(element, old, delay) {
    const { centre } = poseOf(this.svg, element);
    const narrow = this.frames(element, centre, 0, 1);
    const reversed = Object.fromEntries(Object.entries(narrow).map(([name, [from, to]]) => [name, [to, from]]));
    this.leave(old, delay, reversed, 200);
    this.play(element, { opacity: [0, 1, 1], ...narrow }, 220, delay + (this.isOff ? 0 : HALF_FLIP_MS), "ease-out");
  }

  /**
   * What is no longer on the picture stays visible until its motion is over.
   * @param {Pose} old
   * @param {number} delay
   * @param {PropertyIndexedKeyframes} frames
   */
  leave(old, delay, frames = { opacity: [1, 0] }, duration = 320) {
    const group = document.createElementNS(SVG_NAMESPACE, "g");
    const { a, b, c, d, e, f } = old.parentMatrix;
    group.setAttribute("transform", `matrix(${[a, b, c, d, e, f].join(" ")})`);
    old.clone.innerHTML = old.content;
    group.append(old.clone);
    group.querySelectorAll("[id]").forEach((element) => element.removeAttribute("id"));
    this.leaving.append(group);
    this.play(old.clone, frames, duration, delay).then(() => group.remove());
  }

  /**
   * Something that is on neither picture, only between them.
   * @param {string} svg
   * @param {string} name
   * @param {number} delay
   */
  showTransient(svg, name, delay) {
    const group = document.createElementNS(SVG_NAMESPACE, "g");
    group.dataset.name = name;
    group.innerHTML = svg;
    this.leaving.append(group);
    this.play(group, { opacity: [0, 1] }, 260, delay);
  }

  /**
   * @param {string} name
   * @param {number} delay
   */
  endTransient(name, delay) {
    const group = this.leaving.querySelector(`[data-name="${CSS.escape(name)}"]`);
    if (group)
      this.play(group, { opacity: [1, 0] }, 320, delay + (this.isOff ? 0 : TRANSIENT_MS)).then(() => group.remove());
  }

  /**
   * From this place and scale to where the element is, in the coordinates of its parent.
   * @param {SVGGraphicsElement} element
   * @param {DOMPoint} centre
   * @param {number} scaleX
   * @param {number} scaleY
   * @returns {{ translate: [string, string], scale: [string, string] }}
   */
  frames(element, centre, scaleX, scaleY) {
    const toParent = screenMatrix(element.parentNode).inverse().multiply(screenMatrix(this.svg));
    const from = toParent.transformPoint(centre);
    const here = toParent.transformPoint(poseOf(this.svg, element).centre);
    return {
      translate: [`${from.x - scaleX * here.x}px ${from.y - scaleY * here.y}px`, "0px 0px"],
      scale: [`${scaleX} ${scaleY}`, "1 1"],
    };
  }
}
