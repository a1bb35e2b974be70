// From the first touch to a move. The server says which elements of the picture lead to which move; this knows no rules.

const SVG = "http://www.w3.org/2000/svg";
const NEAR = [[0, 0], [1, 1], [7, 0], [-7, 0], [0, 7], [0, -7]]; // pixels
const SMALL = 80; // a place so narrow is full to its edge
const MARKS = ["lit", "picked", "last"];

export class Picker {
  /** `say` has the words, `play(text)` sends a move, `confirms()` tells whether every move is asked about. */
  constructor(board, bar, { say, play, confirms, fetchGhost }) {
    Object.assign(this, { board, bar, say, play, confirms, fetchGhost });
    this.moves = [];
    this.last = [];
    this.reset();
    board.addEventListener("click", (event) => this.click(event));
    board.addEventListener("pointermove", (event) => this.hover(event));
    board.addEventListener("pointerleave", () => this.path.length || this.chosen || this.ghost(null));
    board.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    board.addEventListener("focusin", (event) => this.ring(event.target));
    board.addEventListener("focusout", () => this.ring(null));
    document.addEventListener("keydown", (event) => this.key(event));
  }

  get svg() {
    return this.board.querySelector("svg");
  }

  /** New moves to choose from. A choice half made is kept if it still leads somewhere. */
  set(moves, last) {
    this.moves = moves.map(([text, picks, ghost]) => ({ text, picks, ghost }));
    this.last = last;
    if (!this.candidates().length || this.chosen) this.reset();
    this.light();
  }

  /** Show a move as if it were chosen, ready to be played or taken back. */
  suggest(text) {
    const move = this.moves.find((other) => other.text === text);
    if (!move) return;
    this.reset();
    this.path = [...move.picks];
    this.chosen = move;
    this.light();
  }

  reset() {
    this.path = [];
    this.way = 0;
    this.chosen = null;
  }

  candidates() {
    return this.moves.filter((move) => this.path.every((pick, step) => move.picks[step] === pick));
  }

  element(id) {
    return id ? this.svg?.querySelector(`#${CSS.escape(id)}`) : null;
  }

  /** Light what can be touched next. */
  light() {
    this.clear();
    const found = this.candidates();
    const next = [...new Set(found.map((move) => move.picks[this.path.length]).filter(Boolean))];
    this.lit = new Map(next.map((id) => [id, this.element(id)]).filter(([, element]) => element));
    this.way = Math.max(0, found.findIndex((move) => move.picks.at(-1) === this.turned));
    this.ways = this.path.length || !this.lit.size ? found.filter((move) => !this.lit.has(move.picks[this.path.length])) : [];
    this.lights = layer(this.svg, "lights");
    this.last.forEach((id) => this.mark(this.element(id), "last"));
    this.path.forEach((id) => this.mark(this.element(id), "picked"));
    this.lit.forEach((element, id) => this.offer(element, id));
    this.svg?.setAttribute("role", this.lit.size ? "group" : "img");
    const picked = this.lit.size ? null : this.element(this.path.at(-1) ?? "");
    const first = picked ?? this.lit.get(this.focused) ?? [...this.lit.values()][0];
    first?.setAttribute("tabindex", "0");
    const here = document.activeElement;
    if (this.hadFocus && (here === document.body || this.board.contains(here))) first?.focus();
    this.show();
  }

  /** Mark an element; a frame of its own in a cell, since neighbours would cover the cell's edge. */
  mark(element, kind) {
    element?.classList.add(kind);
    if (element?.nodeName === "rect") this.frame(element, `frame ${kind}-frame`, element.getBBox().width < SMALL ? -1 : -6);
  }

  frame(element, kind, more) {
    const box = element.getBBox();
    const frame = document.createElementNS(SVG, "rect");
    const places = { x: box.x - more, y: box.y - more, width: box.width + 2 * more, height: box.height + 2 * more, rx: 8 };
    for (const [name, value] of Object.entries({ ...places, class: kind })) frame.setAttribute(name, value);
    this.lights.append(frame);
    const { a, b, c, d, e, f } = frame.getScreenCTM().inverse().multiply(element.getScreenCTM());
    frame.setAttribute("transform", `matrix(${[a, b, c, d, e, f].join(" ")})`);
    return frame;
  }

  offer(element, id) {
    this.mark(element, "lit");
    element.setAttribute("tabindex", "-1");
    element.setAttribute("role", "button");
    const name = element.querySelector("title")?.textContent ?? id.replace(/^[a-z]+-/, "");
    element.setAttribute("aria-label", name);
  }

  clear() {
    this.ghost(null);
    this.svg?.querySelector("#lights")?.remove();
    for (const mark of MARKS)
      for (const element of this.board.querySelectorAll(`.${mark}`)) {
        element.classList.remove(mark);
        ["tabindex", "role", "aria-label"].forEach((name) => element.removeAttribute(name));
      }
  }

  /** The ghost and the bar for what is chosen so far. */
  show() {
    const move = this.chosen ?? (this.path.length && this.ways.length ? this.ways[this.way % this.ways.length] : null);
    this.ghost(move);
    this.bar.replaceChildren();
    if (move) {
      this.button(this.say("play").replace("{move}", move.text), () => this.commit(move), "main-button");
      if (this.ways.length > 1) this.button(this.say("otherWay"), () => this.turn(1));
      if (this.backs().length) this.button(this.say("flip"), () => this.flip());
    } else if (!this.path.length && this.ways.length) {
      for (const way of this.ways) this.button(this.say("play").replace("{move}", way.text), () => this.commit(way));
    } else if (this.path.length) {
      this.bar.append(this.say("pick"), " ");
    }
    if (this.path.length || this.chosen) this.button(this.say("cancel"), () => this.back());
  }

  button(words, press, kind = "") {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", textContent: words, className: kind });
    button.addEventListener("click", press);
    this.bar.append(button, " ");
  }

  /** Ghosts that did not come with the moves are fetched when they are first shown. */
  async ghost(move) {
    this.svg?.querySelector("#ghost")?.remove();
    this.shown = move;
    if (move && move.ghost === null) move.ghost = await this.fetchGhost(move.text);
    if (!move?.ghost || !this.svg || this.shown !== move || this.svg.querySelector("#ghost")) return;
    layer(this.svg, "ghost").innerHTML = move.ghost;
  }

  /** A ring round what has the focus: not every browser draws outlines inside pictures. */
  ring(element) {
    this.lights?.querySelector(".ring")?.remove();
    if (element && this.named(element) && element.matches(":focus-visible")) this.frame(element.querySelector(".handle") ?? element, "ring", 6);
  }

  // What people do

  /** What can be touched at this place, or very near: fingers are thick and lines are thin. */
  at(event) {
    for (const [dx, dy] of NEAR)
      for (const element of document.elementsFromPoint(event.clientX + dx, event.clientY + dy)) {
        const id = this.named(element);
        if (id) return id;
      }
    return null;
  }

  named(element) {
    for (let part = element; part && part !== this.board; part = part.parentNode)
      if (part.id && (this.lit?.has(part.id) || part.id === this.path.at(-1))) return part.id;
    return null;
  }

  click(event) {
    const byKey = event.detail === 0;
    this.hadFocus = byKey;
    const id = this.named(event.target) ?? (byKey ? null : this.at(event));
    if (!id) return void ((this.path.length || this.chosen) && this.restart(event));
    this.pick(id, event.pointerType === "touch");
  }

  /** A touch beside the lit ones: begin again there, or just take the choice back. */
  restart(event) {
    this.reset();
    this.light();
    const id = this.at(event);
    if (id) this.pick(id, event.pointerType === "touch");
  }

  pick(id, touch = false) {
    if (this.chosen && this.chosen.picks.at(-1) === id) return this.commit(this.chosen);
    if (this.chosen) this.chosen = null, this.path.pop();
    if (id === this.path.at(-1) && !this.lit.has(id)) return this.ways.length ? this.turn(1) : this.back();
    this.path.push(id);
    this.way = 0;
    this.focused = id;
    const [only, ...others] = this.candidates();
    const complete = only && !others.length && only.picks.length <= this.path.length;
    if (complete && !touch && !this.confirms()) return this.commit(only);
    if (complete) this.chosen = only;
    const lit = this.lit;
    this.light();
    if (complete) this.keep(lit);
  }

  /** While a move waits to be confirmed its neighbours can still be touched instead. */
  keep(lit) {
    this.lit = lit;
    lit.forEach((element, id) => this.offer(element, id));
    this.lit.get(this.focused)?.setAttribute("tabindex", "0");
    if (this.hadFocus) this.lit.get(this.focused)?.focus();
  }

  commit(move) {
    this.reset();
    this.clear();
    this.bar.replaceChildren();
    this.moves = [];
    if (this.hadFocus) this.board.focus();
    this.play(move.text);
  }

  back() {
    if (this.chosen) this.chosen = null;
    this.path.pop();
    this.way = 0;
    this.light();
  }

  turn(by) {
    this.way = (this.way + by + this.ways.length) % this.ways.length;
    this.turned = this.ways[this.way].picks.at(-1);
    this.show();
  }

  /** The ways with the other side up, the mirror image first: ways 0 to 3 are turns of one side, 4 to 7 of the other. */
  backs() {
    const number = (move) => Number(/^way-(\d)$/.exec(move.picks.at(-1))?.[1] ?? NaN);
    const here = number(this.ways[this.way % this.ways.length]);
    const mirrored = here < 4 ? 4 + ((4 - here) % 4) : (8 - here) % 4;
    const far = (move) => (number(move) - mirrored + 4) % 4;
    return this.ways.filter((move) => number(move) < 4 !== here < 4).sort((one, other) => far(one) - far(other));
  }

  flip() {
    const [over] = this.backs();
    if (over) this.turn(this.ways.indexOf(over) - this.way);
  }

  hover(event) {
    if (event.pointerType === "touch" || this.chosen || (this.path.length && this.ways.length)) return;
    const id = this.at(event);
    if (id === this.hovered && this.svg?.querySelector("#ghost")) return;
    this.hovered = id;
    const found = this.candidates().filter((move) => move.picks[this.path.length] === id);
    this.ghost(found.length === 1 ? found[0] : null);
  }

  wheel(event) {
    if (!this.path.length || this.ways.length < 2) return;
    event.preventDefault();
    this.turn(event.deltaY > 0 ? 1 : -1);
  }

  key(event) {
    if (event.target.matches?.("input, textarea, select") || event.ctrlKey || event.metaKey || event.altKey) return;
    const id = this.named(event.target);
    const arrow = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (event.key === "Escape" && (this.path.length || this.chosen)) this.hadFocus = true, this.back();
    else if (event.key.toLowerCase() === "r" && this.ways?.length > 1) this.turn(event.shiftKey ? -1 : 1);
    else if (event.key.toLowerCase() === "f" && this.path.length && this.ways?.length > 1) this.flip();
    else if (arrow && id) this.go(id, arrow);
    else if ((event.key === "Enter" || event.key === " ") && this.board.contains(event.target)) this.enter(id);
    else return;
    event.preventDefault();
  }

  enter(id) {
    this.hadFocus = true;
    if (this.path.length && this.ways.length && !this.lit.has(id)) return this.commit(this.ways[this.way % this.ways.length]);
    if (id) this.pick(id);
  }

  /** Focus the nearest lit element in this direction. */
  go(id, [dx, dy]) {
    const from = centre(this.element(id));
    let best = null;
    for (const [other, element] of this.lit) {
      const to = centre(element);
      const along = (to.x - from.x) * dx + (to.y - from.y) * dy;
      const aside = Math.abs((to.x - from.x) * dy) + Math.abs((to.y - from.y) * dx);
      if (other !== id && along > 1 && (!best || along + 2 * aside < best.far)) best = { other, element, far: along + 2 * aside };
    }
    if (!best) return;
    this.lit.forEach((element) => element.setAttribute("tabindex", "-1"));
    best.element.setAttribute("tabindex", "0");
    best.element.focus();
    this.focused = best.other;
    const found = this.candidates().filter((move) => move.picks[this.path.length] === best.other);
    if (!this.chosen) this.ghost(found.length === 1 ? found[0] : null);
  }
}

/** A group of this name on top of the picture. */
function layer(svg, name) {
  const group = document.createElementNS(SVG, "g");
  group.id = name;
  group.setAttribute("class", name);
  svg?.append(group);
  return group;
}

function centre(element) {
  const box = element.getBoundingClientRect();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
