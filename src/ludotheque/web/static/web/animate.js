// Animates the picture from one position to the next: elements slide, turn over, appear and disappear, in the order
// the server gives. Both pictures are whole; only the way between them is shown here.

import { SVG_NAMESPACE } from "./overlay.js";

const STEP_MS = 260; // from one motion to the next
const MAX_TOTAL_MS = 4200;
const STAGGER_MS = 45; // between elements that the server did not put in order
const MAX_STAGGERED = 12;
const MIN_DISTANCE = 2; // in units of the picture: less is no movement
const OVERLAYS = "#ghost, #lights, #leaving, defs"; // in the picture's element, but not part of the picture

/**
 * What the server tells to show. `what` is the id of an element, `to` its id afterwards, if another; `svg` draws
 * something that is on neither picture; "go" takes it away.
 * @typedef {object} Motion
 * @property {"move" | "turn" | "flip" | "appear" | "go"} kind
 * @property {string} what
 * @property {string} to
 * @property {number} order
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

/**
 * Remember where everything on the picture is, before it changes.
 * @param {Picture} svg
 * @returns {Map<string, Pose>}
 */
export function capture(svg) {
  running.forEach((animation) => animation.cancel());
  running = [];
  svg?.querySelector("#leaving")?.remove();
  if (!svg || motionIsOff() || !svg.getScreenCTM()) return new Map();
  return new Map(elementsOf(svg).map((element) => [element.id, poseOf(svg, element)]));
}

/**
 * Show the way from what was captured to the picture as it is now.
 * @param {Picture} svg
 * @param {Map<string, Pose>} before
 * @param {Motion[]} motions
 */
export function animate(svg, before, motions = []) {
  if (!before.size || !svg) return;
  const lastStep = Math.max(1, ...motions.map((motion) => motion.order));
  const animator = new Animator(svg, before, Math.min(STEP_MS, MAX_TOTAL_MS / lastStep));
  motions.forEach((motion) => animator.showMotion(motion));
  animator.showOthers();
}

class Animator {
  /**
   * @param {SVGSVGElement} svg
   * @param {Map<string, Pose>} before
   * @param {number} stepMs
   */
  constructor(svg, before, stepMs) {
    this.svg = svg;
    this.before = before;
    this.stepMs = stepMs;
    /** @type {Set<string>} */
    this.shown = new Set(); // ids
    this.staggered = 0;
    this.leaving = document.createElementNS(SVG_NAMESPACE, "g"); // holds what is no longer on the picture
    this.leaving.id = "leaving";
    this.leaving.setAttribute("aria-hidden", "true");
    svg.append(this.leaving);
  }

  /** @param {Motion} motion */
  showMotion({ kind, what, to, order, svg }) {
    const old = this.before.get(what);
    const element = find(this.svg, to || what);
    const delay = order * this.stepMs;
    if (svg && !element) this.showTransient(svg, what, delay);
    else if (kind === "go") old ? this.leave(old, delay) : this.endTransient(what, delay);
    else if (element && !old) this.appear(element, delay);
    else if (element && old && kind !== "appear") this[kind](element, old, delay);
    this.shown.add(what);
    if (element) this.shown.add(element.id);
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
        this.leave(old, 0);
  }

  /** @param {SVGGraphicsElement} element */
  showOther(element) {
    const old = this.before.get(element.id);
    if (!old) this.appear(element, this.stagger());
    else if (!this.move(element, old, 0) && old.content !== element.innerHTML && !element.querySelector("[id]"))
      this.fade(element, this.stagger());
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
    return STAGGER_MS * Math.min(this.staggered++, MAX_STAGGERED);
  }

  /**
   * @param {Element} element
   * @param {PropertyIndexedKeyframes} frames
   * @param {number} duration
   * @param {number} delay
   */
  play(element, frames, duration, delay, easing = "ease-in-out") {
    const animation = element.animate(frames, { duration, delay, fill: "both", easing });
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
   * @param {SVGGraphicsElement} element
   * @param {number} delay
   */
  fade(element, delay) {
    this.play(element, { opacity: [0.1, 1] }, 420, delay);
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
    this.play(element, { opacity: [0, 1, 1], ...narrow }, 220, delay + 180, "ease-out");
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
    if (group) this.play(group, { opacity: [1, 0] }, 320, delay + STEP_MS).then(() => group.remove());
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
