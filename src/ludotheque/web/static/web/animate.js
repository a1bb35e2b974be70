// Motion that explains what happened: things slide, turn over, come and go, step by step in the order the house tells.

const SVG = "http://www.w3.org/2000/svg";
const STEP = 260; // milliseconds from one step to the next
const LONGEST = 4200; // and for all of them
const STAGGER = 45; // between things that nobody has put in order
const PASSING = "#ghost, #lights, #leaving, defs"; // what is on the picture and not of it

let running = [];

export function still() {
  return document.documentElement.dataset.motion === "off" || matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Where something is, as the picture counts, since the page around it may move meanwhile; and what it looked like. */
function look(svg, part) {
  const box = part.getBoundingClientRect();
  const page = onScreen(svg).inverse();
  const place = page.transformPoint({ x: box.x + box.width / 2, y: box.y + box.height / 2 });
  const around = page.multiply(onScreen(part.parentNode));
  const size = Math.sqrt(box.width * box.height) * page.a;
  return { part, place, around, size, shell: part.cloneNode(false), inside: part.innerHTML, turn: turned(part) };
}

function onScreen(part) {
  return DOMMatrix.fromMatrix(part.getScreenCTM());
}

function parts(svg) {
  return [...svg.querySelectorAll("[id]")].filter((part) => !part.closest(PASSING));
}

/** Remember where everything on the picture is. */
export function before(svg) {
  running.forEach((animation) => animation.cancel());
  running = [];
  svg?.querySelector("#leaving")?.remove();
  const ready = svg && !still() && svg.getScreenCTM();
  return new Map(ready ? parts(svg).map((part) => [part.id, look(svg, part)]) : []);
}

/** Show the way from there to what is on the picture now. Steps are {kind, what, to, order, svg}. */
export function after(svg, seen, steps = []) {
  if (!seen.size || !svg) return;
  const pace = Math.min(STEP, LONGEST / Math.max(1, ...steps.map((step) => step.order)));
  const stage = new Stage(svg, seen, pace);
  steps.forEach((step) => stage.act(step));
  stage.rest();
}

class Stage {
  constructor(svg, seen, pace) {
    Object.assign(this, { svg, seen, pace, done: new Set(), others: 0 });
    this.leaving = document.createElementNS(SVG, "g");
    this.leaving.id = "leaving";
    this.leaving.setAttribute("aria-hidden", "true");
    svg.append(this.leaving);
  }

  act({ kind, what, to, order, svg }) {
    const old = this.seen.get(what);
    const part = this.svg.querySelector(`#${CSS.escape(to || what)}`);
    const delay = order * this.pace;
    if (svg && !part) this.pass(svg, what, delay);
    else if (kind === "go") old ? this.leave(old, delay) : this.end(what, delay);
    else if (part && !old) this.appear(part, delay);
    else if (part && kind !== "appear") this[kind](part, old, delay);
    this.done.add(what).add(part?.id);
  }

  /** Whatever nobody has told of: it slides if it moved, fades if it changed, came or went. */
  rest() {
    for (const part of parts(this.svg)) {
      const old = this.seen.get(part.id);
      if (this.done.has(part.id) || this.told(part)) continue;
      if (!old) this.appear(part, this.wait());
      else if (!this.move(part, old, 0) && old.inside !== part.innerHTML && !part.querySelector("[id]")) this.fade(part, this.wait());
    }
    for (const [id, old] of this.seen)
      if (!this.done.has(id) && !this.svg.contains(old.part) && !this.svg.querySelector(`#${CSS.escape(id)}`) && !this.within(old.part))
        this.leave(old, 0);
  }

  /** Whether a step tells of something around or inside this. */
  told(part) {
    for (const id of this.done) if (id && (part.closest(`#${CSS.escape(id)}`) || part.querySelector(`#${CSS.escape(id)}`))) return true;
    return false;
  }

  /** Whether something around it went as well, and takes it along. */
  within(part) {
    const around = part.parentNode?.closest?.("[id]");
    return Boolean(around && around !== this.leaving && this.seen.has(around.id));
  }

  wait() {
    return STAGGER * Math.min(this.others++, 12);
  }

  play(part, frames, duration, delay, easing = "ease-in-out") {
    const animation = part.animate(frames, { duration, delay, fill: "both", easing });
    running.push(animation);
    return animation.finished.then(() => animation.cancel(), () => {});
  }

  appear(part, delay) {
    this.play(part, { opacity: [0, 1], ...this.pose(part, look(this.svg, part).place, [0.5, 0.5]) }, 300, delay, "ease-out");
  }

  fade(part, delay) {
    this.play(part, { opacity: [0.1, 1] }, 420, delay);
  }

  move(part, old, delay) {
    const now = look(this.svg, part);
    const far = Math.hypot(old.place.x - now.place.x, old.place.y - now.place.y) > 2;
    const grown = now.size ? old.size / now.size : 1;
    if (far) this.play(part, this.pose(part, old.place, Math.abs(grown - 1) < 0.15 ? [1, 1] : [grown, grown]), 420, delay);
    return far;
  }

  turn(part, old, delay) {
    const [inner] = part.querySelectorAll('[transform*="rotate"]');
    const by = ((old.turn - turned(part) + 540) % 360) - 180;
    if (inner && by) this.play(inner, { rotate: [`${by}deg`, "0deg"] }, 420, delay);
  }

  /** Turn over: what it was narrows to an edge, and what it is opens from there. */
  flip(part, old, delay) {
    const place = look(this.svg, part).place;
    this.leave(old, delay, this.pose(part, place, [0, 1], true), 200);
    this.play(part, { opacity: [0, 1, 1], ...this.pose(part, place, [0, 1]) }, 220, delay + 180, "ease-out");
  }

  /** What is not on the picture any more stays on stage until its turn has come. */
  leave(old, delay, frames = { opacity: [1, 0] }, duration = 320) {
    const frame = document.createElementNS(SVG, "g");
    const { a, b, c, d, e, f } = old.around;
    frame.setAttribute("transform", `matrix(${[a, b, c, d, e, f].join(" ")})`);
    old.shell.innerHTML = old.inside;
    frame.append(old.shell);
    frame.querySelectorAll("[id]").forEach((part) => part.removeAttribute("id"));
    this.leaving.append(frame);
    this.play(old.shell, frames, duration, delay).then(() => frame.remove());
  }

  /** Something that comes and goes between two pictures. */
  pass(drawing, name, delay) {
    const part = document.createElementNS(SVG, "g");
    part.dataset.name = name;
    part.innerHTML = drawing;
    this.leaving.append(part);
    this.play(part, { opacity: [0, 1] }, 260, delay);
  }

  end(name, delay) {
    const part = this.leaving.querySelector(`[data-name="${CSS.escape(name)}"]`);
    if (part) this.play(part, { opacity: [1, 0] }, 320, delay + STEP).then(() => part.remove());
  }

  /** From this place and size to where it is, or the other way round; in the coordinates around the part. */
  pose(part, place, [wide, high], back = false) {
    const within = onScreen(part.parentNode).inverse().multiply(onScreen(this.svg));
    const from = within.transformPoint(place);
    const here = within.transformPoint(look(this.svg, part).place);
    const frames = { translate: [`${from.x - wide * here.x}px ${from.y - high * here.y}px`, "0px 0px"], scale: [`${wide} ${high}`, "1 1"] };
    if (back) Object.values(frames).forEach((list) => list.reverse());
    return frames;
  }
}

/** How far the first thing inside that is turned is turned, in degrees. */
function turned(part) {
  return Number(/rotate\((-?[\d.]+)/.exec(part.innerHTML)?.[1] ?? 0);
}
