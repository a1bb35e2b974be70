// Dragging: the same touches as picking, from where a piece lies to where it goes. What a drag cannot say, such as
// which way round, is chosen before by R or F, or after the drop as always.

const FAR = 8; // pixels from a touch to a drag

export class Drag {
  constructor(picker) {
    Object.assign(this, { picker, begun: null, dragging: false });
    const { board } = picker;
    board.addEventListener("pointerdown", (event) => this.down(event));
    board.addEventListener("pointermove", (event) => this.move(event));
    board.addEventListener("pointerup", (event) => this.up(event));
    board.addEventListener("pointercancel", () => this.end());
    board.addEventListener("touchmove", (event) => this.begun && event.preventDefault(), { passive: false }); // no scrolling
    board.addEventListener("click", (event) => this.dragged && event.stopImmediatePropagation(), true);
    document.addEventListener("keydown", (event) => this.dragging && this.key(event), true);
  }

  /** Whatever can be picked first and needs more picks can be dragged. */
  down(event) {
    this.dragged = false;
    if (event.button || !event.isPrimary || !this.picker.moves.length) return;
    const over = document.elementsFromPoint(event.clientX, event.clientY).map((element) => element.id);
    const id = over.find((name) => name && this.picker.moves.some(({ picks }) => picks[0] === name && picks.length > 1));
    this.begun = id ? { id, x: event.clientX, y: event.clientY } : null;
  }

  move(event) {
    if (!this.begun) return;
    if (!this.dragging && Math.hypot(event.clientX - this.begun.x, event.clientY - this.begun.y) > FAR) this.begin(event);
    if (this.dragging) this.carry(event);
  }

  begin(event) {
    const { picker } = this;
    const { id } = this.begun;
    picker.hadFocus = false;
    picker.reset();
    picker.light();
    picker.pick(id, true);
    picker.board.setPointerCapture(event.pointerId);
    this.dragging = this.dragged = true;
    this.piece = this.lift(id);
  }

  /** A copy of what lies in the place that was touched, to be carried. */
  lift(id) {
    const { svg } = this.picker;
    const place = this.picker.element(id).getBoundingClientRect();
    const lies = (part) => {
      const box = part.getBoundingClientRect();
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      return x > place.left && x < place.right && y > place.top && y < place.bottom;
    };
    const shape = [...svg.querySelectorAll("[id]:not(rect):not(defs [id])")].find(lies);
    if (!shape) return null;
    const copy = shape.cloneNode(true);
    const { a, b, c, d, e, f } = svg.getScreenCTM().inverse().multiply(shape.parentNode.getScreenCTM());
    const [carried, held] = [1, 2].map(() => document.createElementNS(svg.namespaceURI, "g"));
    copy.removeAttribute("id");
    carried.setAttribute("class", "carried");
    held.setAttribute("transform", `matrix(${[a, b, c, d, e, f].join(" ")})`);
    held.append(copy);
    carried.append(held);
    svg.append(carried);
    return carried;
  }

  carry(event) {
    const scale = this.picker.svg.getScreenCTM().a;
    this.piece?.setAttribute("transform", `translate(${(event.clientX - this.begun.x) / scale} ${(event.clientY - this.begun.y) / scale})`);
    this.over = this.picker.at(event);
    this.show();
  }

  /** The ways to drop it here. */
  ways() {
    const { picker } = this;
    return picker.candidates().filter(({ picks }) => picks[picker.path.length] === this.over);
  }

  show() {
    const ways = this.ways();
    const { turned } = this.picker;
    const move = ways.find(({ picks }) => picks.at(-1) === turned) ?? ways[0] ?? null;
    this.piece?.classList.toggle("landed", Boolean(move));
    if (this.picker.shown !== move) this.picker.ghost(move);
  }

  key(event) {
    const way = { r: 1, f: 1 }[event.key.toLowerCase()] && this.ways();
    if (!way?.length) return;
    const here = Math.max(0, way.findIndex(({ picks }) => picks.at(-1) === this.picker.turned));
    this.picker.turned = way[(here + 1) % way.length].picks.at(-1);
    this.show();
    event.preventDefault();
    event.stopPropagation();
  }

  up(event) {
    if (!this.dragging) return void (this.begun = null);
    const id = this.picker.at(event);
    const { picker } = this;
    this.end();
    if (picker.lit.has(id)) picker.pick(id, event.pointerType === "touch");
    else picker.back();
  }

  end() {
    this.piece?.remove();
    if (this.dragging) this.picker.ghost(null);
    Object.assign(this, { begun: null, dragging: false, piece: null, over: null });
  }
}
