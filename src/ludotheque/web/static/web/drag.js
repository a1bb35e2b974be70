// Dragging makes the same picks as clicking: from where a piece lies to where it goes. What a drag cannot say, such as
// the piece's orientation, is chosen by R or F while dragging, or after the drop.

import { centreOf, relativeTransform, SVG_NAMESPACE } from "./overlay.js";

/** @import { Picker } from "./picker.js" */

const DRAG_THRESHOLD_PX = 8;

export class Drag {
  /** @param {Picker} picker */
  constructor(picker) {
    this.picker = picker;
    /** @type {{ id: string, x: number, y: number } | null} */
    this.start = null;
    this.isDragging = false;
    this.wasDragged = false; // the click that follows is no pick
    /** @type {SVGGElement | null} */
    this.copy = null; // of the piece, under the pointer
    /** @type {string | null} */
    this.over = null;
    const { board } = picker;
    board.addEventListener("pointerdown", (event) => this.onDown(event));
    board.addEventListener("pointermove", (event) => this.onMove(event));
    board.addEventListener("pointerup", (event) => this.onUp(event));
    board.addEventListener("pointercancel", () => this.end());
    board.addEventListener("touchmove", (event) => this.start && event.preventDefault(), { passive: false }); // no scrolling
    board.addEventListener("click", (event) => this.wasDragged && event.stopImmediatePropagation(), true);
    document.addEventListener("keydown", (event) => this.isDragging && this.onKey(event), true);
  }

  /** Whatever can be picked first and needs more picks can be dragged. @param {PointerEvent} event */
  onDown(event) {
    const { overlay, selection } = this.picker;
    const { moves } = selection;
    this.wasDragged = false;
    if (event.button || !event.isPrimary || !moves.length) return;
    const ids = this.picker.touchedAt(event);
    const id = ids.find((name) => moves.some(({ picks }) => picks[0] === name && overlay.element(picks[1])));
    this.start = id ? { id, x: event.clientX, y: event.clientY } : null;
  }

  /** @param {PointerEvent} event */
  onMove(event) {
    if (!this.start) return;
    const dx = event.clientX - this.start.x;
    const dy = event.clientY - this.start.y;
    if (!this.isDragging && Math.hypot(dx, dy) > DRAG_THRESHOLD_PX) this.begin(this.start.id, event.pointerId);
    if (!this.isDragging) return;
    const scale = this.picker.overlay.svg?.getScreenCTM()?.a ?? 1;
    this.copy?.setAttribute("transform", `translate(${dx / scale} ${dy / scale})`);
    this.over = this.picker.pickAt(event);
    this.show();
  }

  /**
   * @param {string} id
   * @param {number} pointer
   */
  begin(id, pointer) {
    const { picker } = this;
    picker.byKeyboard = false;
    picker.hold(id);
    picker.board.setPointerCapture(pointer);
    this.isDragging = this.wasDragged = true;
    this.copy = this.copyPiece(id);
  }

  /** A copy of the piece, or of what lies on the element that was picked. @param {string} id */
  copyPiece(id) {
    const { overlay } = this.picker;
    const { svg } = overlay;
    const picked = overlay.element(id);
    if (!svg || !picked) return null;
    const place = picked.getBoundingClientRect();
    /** @type {NodeListOf<SVGGraphicsElement>} */
    const shapes = svg.querySelectorAll("[id]:not(rect):not(defs [id])");
    const isArea = picked.nodeName === "rect";
    const shape = isArea ? [...shapes].find((other) => contains(place, centreOf(other))) : picked;
    if (!shape) return null;
    const clone = /** @type {SVGElement} */ (shape.cloneNode(true));
    clone.removeAttribute("id");
    const parent = /** @type {SVGGraphicsElement} */ (/** @type {unknown} */ (shape.parentNode));
    const inner = document.createElementNS(SVG_NAMESPACE, "g");
    const copy = document.createElementNS(SVG_NAMESPACE, "g");
    inner.setAttribute("transform", relativeTransform(svg, parent));
    inner.append(clone);
    copy.setAttribute("class", "carried");
    copy.append(inner);
    svg.append(copy);
    return copy;
  }

  /** The moves that a drop here leads to. */
  drops() {
    return this.picker.selection.movesBy(this.over);
  }

  /** Show the piece as it would lie here. */
  show() {
    const { picker } = this;
    const { selection } = picker;
    selection.alternatives = this.drops();
    selection.index = selection.alternatives.indexOf(selection.oriented(selection.alternatives));
    const move = selection.alternative ?? null;
    this.copy?.classList.toggle("landed", Boolean(move));
    if (picker.ghostMove !== move) picker.showGhost(move);
  }

  /** R turns and F mirrors while dragging. @param {KeyboardEvent} event */
  onKey(event) {
    const { selection } = this.picker;
    const key = event.key.toLowerCase();
    if (!["r", "f"].includes(key)) return;
    if (key === "f") selection.flip();
    else selection.turn(event.shiftKey ? -1 : 1);
    this.show();
    event.preventDefault();
    event.stopPropagation();
  }

  /**
   * A drop says where. It also says how, and so plays the move, if the piece can lie in one way or lies as somebody
   * turned it, before or on the way; else a second tap on the ghost does.
   * @param {PointerEvent} event
   */
  async onUp(event) {
    const { picker, isDragging } = this;
    const id = isDragging ? picker.pickAt(event) : null;
    this.end();
    if (!isDragging) return;
    if (id && picker.lit.has(id)) {
      picker.pick(id);
      const { selection } = picker;
      const { current } = selection;
      if (current && selection.isTurnedTo(current) && !picker.mustConfirm()) picker.commit(current);
      return;
    }
    const reason = await picker.reasonFor(picker.touchedAt(event));
    if (reason) picker.overlay.showReason(reason.say, reason.id);
    else picker.undoPick();
  }

  end() {
    this.copy?.remove();
    if (this.isDragging) this.picker.showGhost(null);
    this.start = null;
    this.isDragging = false;
    this.copy = null;
    this.over = null;
  }
}

/**
 * @param {DOMRect} box
 * @param {{ x: number, y: number }} point
 */
function contains(box, { x, y }) {
  return x > box.left && x < box.right && y > box.top && y < box.bottom;
}
