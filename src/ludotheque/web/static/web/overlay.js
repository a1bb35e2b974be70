// What the picker draws over the picture: frames round cells, a ring round the focused element, the ghost of a move.

export const SVG_NAMESPACE = "http://www.w3.org/2000/svg";
const NARROW = 80; // in units of the picture: the content of a narrower cell reaches to its edge
const FRAME_INSET = { narrow: 1, wide: 6 };
const RING_MARGIN = 6;
const PICKED_MARGIN = 2;
const MARKS = ["lit", "picked", "last", "stuck"];
const GAP_PX = 8; // between an element and the sentence about it, and to the edge of the page

export class Overlay {
  /** @param {HTMLElement} board */
  constructor(board) {
    this.board = board;
    /** @type {SVGGElement | null} */
    this.lights = null;
    this.reason = document.createElement("p"); // why something cannot be picked
    this.reason.className = "reason";
    this.reason.setAttribute("role", "status");
    document.body.append(this.reason);
  }

  get svg() {
    return this.board.querySelector("svg");
  }

  /**
   * @param {string | null | undefined} id
   * @returns {SVGGraphicsElement | null}
   */
  element(id) {
    return id ? (this.svg?.querySelector(`#${CSS.escape(id)}`) ?? null) : null;
  }

  /** Remove every mark, frame and ghost. */
  clear() {
    this.removeGhost();
    this.svg?.querySelector("#lights")?.remove();
    for (const mark of MARKS)
      for (const element of this.board.querySelectorAll(`.${mark}`)) {
        element.classList.remove(mark);
        ["tabindex", "role", "aria-label"].forEach((name) => element.removeAttribute(name));
      }
  }

  /** Begin a layer for frames, above what is on the picture now. */
  addLayer() {
    this.lights = this.group("lights");
  }

  /**
   * Mark an element. A cell, and whatever is picked, gets a frame of its own as well, since its neighbours would cover
   * its edge.
   * @param {SVGGraphicsElement | null} element
   * @param {string} mark
   */
  mark(element, mark) {
    element?.classList.add(mark);
    if (element?.nodeName === "g" && mark === "picked") this.frame(element, "frame picked-frame", PICKED_MARGIN);
    if (element?.nodeName !== "rect") return;
    const inset = element.getBBox().width < NARROW ? FRAME_INSET.narrow : FRAME_INSET.wide;
    this.frame(element, `frame ${mark}-frame`, -inset);
  }

  /**
   * Mark an element that can be picked, for pointers and for screen readers.
   * @param {SVGGraphicsElement} element
   * @param {string} id
   */
  markPickable(element, id) {
    this.mark(element, "lit");
    element.setAttribute("tabindex", "-1");
    this.nameButton(element, id);
  }

  /** Say to screen readers what it is. @param {SVGGraphicsElement} element @param {string} id */
  nameButton(element, id) {
    element.setAttribute("role", "button");
    element.setAttribute("aria-label", nameOf(element, id));
  }

  /** Not every browser draws outlines inside SVG. @param {SVGGraphicsElement | null} element */
  showRing(element) {
    this.lights?.querySelector(".ring")?.remove();
    if (!element?.matches(":focus-visible")) return;
    /** @type {SVGGraphicsElement | null} */
    const handle = element.querySelector(".handle");
    this.frame(handle ?? element, "ring", RING_MARGIN);
  }

  /**
   * @param {SVGGraphicsElement} element
   * @param {string} className
   * @param {number} margin
   */
  frame(element, className, margin) {
    const box = element.getBBox();
    const frame = document.createElementNS(SVG_NAMESPACE, "rect");
    const attributes = {
      x: box.x - margin,
      y: box.y - margin,
      width: box.width + 2 * margin,
      height: box.height + 2 * margin,
      rx: 8,
      class: className,
    };
    for (const [name, value] of Object.entries(attributes)) frame.setAttribute(name, String(value));
    this.lights?.append(frame);
    frame.setAttribute("transform", relativeTransform(frame, element));
  }

  get hasGhost() {
    return Boolean(this.svg?.querySelector("#ghost"));
  }

  /** @param {string} html */
  addGhost(html) {
    this.group("ghost").innerHTML = html;
  }

  removeGhost() {
    this.svg?.querySelector("#ghost")?.remove();
  }

  /** Whether a click is on the ghost, which lets clicks through to what is below it. @param {MouseEvent} event */
  isOnGhost({ clientX, clientY }) {
    /** @type {SVGGElement | null} */
    const ghost = this.svg?.querySelector("#ghost") ?? null;
    if (!ghost) return false;
    ghost.style.pointerEvents = "all";
    const isHit = document.elementsFromPoint(clientX, clientY).some((element) => ghost.contains(element));
    ghost.style.pointerEvents = "";
    return isHit;
  }

  /** Scroll so far that the bar, which sticks to the foot of the window, does not cover the ghost. @param {Element} bar */
  keepGhostAbove(bar) {
    const ghost = this.svg?.querySelector("#ghost")?.getBoundingClientRect();
    const { left, right, top } = bar.getBoundingClientRect();
    if (!ghost || ghost.bottom <= top || ghost.left >= right || ghost.right <= left) return;
    scrollBy({ top: Math.min(ghost.bottom - top + GAP_PX, ghost.top) });
  }

  /**
   * Say at an element why it cannot be picked.
   * @param {string} sentence
   * @param {string} id
   */
  showReason(sentence, id) {
    const { reason } = this;
    const place = (this.element(id) ?? this.board).getBoundingClientRect();
    reason.textContent = sentence;
    const { width, height } = reason.getBoundingClientRect();
    const above = place.top - height - GAP_PX;
    const left = Math.min(place.x + (place.width - width) / 2, document.documentElement.clientWidth - width - GAP_PX);
    reason.style.left = `${Math.max(left, GAP_PX) + scrollX}px`;
    reason.style.top = `${Math.max(0, above > 0 ? above : place.bottom + GAP_PX) + scrollY}px`;
  }

  hideReason() {
    this.reason.textContent = "";
  }

  /** A group of this name on top of the picture. @param {string} name */
  group(name) {
    const group = document.createElementNS(SVG_NAMESPACE, "g");
    group.id = name;
    group.setAttribute("class", name);
    this.svg?.append(group);
    return group;
  }
}

/**
 * The transform attribute that takes the coordinates of one element to those of another.
 * @param {SVGGraphicsElement} from
 * @param {SVGGraphicsElement} to
 */
export function relativeTransform(from, to) {
  const outer = /** @type {DOMMatrix} */ (from.getScreenCTM());
  const { a, b, c, d, e, f } = outer.inverse().multiply(/** @type {DOMMatrix} */ (to.getScreenCTM()));
  return `matrix(${[a, b, c, d, e, f].join(" ")})`;
}

/**
 * What an element is called.
 * @param {Element} element
 * @param {string} id
 */
export function nameOf(element, id) {
  return element.querySelector("title")?.textContent ?? id.replace(/^[a-z]+-/, "");
}

/** @param {Element} element */
export function centreOf(element) {
  const box = element.getBoundingClientRect();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/**
 * The element that lies nearest in a direction.
 * @param {Map<string, Element>} elements
 * @param {Element} from
 * @param {[dx: number, dy: number]} direction
 * @returns {string | null}
 */
export function nearest(elements, from, [dx, dy]) {
  const start = centreOf(from);
  let best = null;
  let shortest = Infinity;
  for (const [id, element] of elements) {
    const { x, y } = centreOf(element);
    const along = (x - start.x) * dx + (y - start.y) * dy;
    const aside = Math.abs((x - start.x) * dy) + Math.abs((y - start.y) * dx);
    if (element !== from && along > 1 && along + 2 * aside < shortest) [best, shortest] = [id, along + 2 * aside];
  }
  return best;
}
