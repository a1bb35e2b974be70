// Motion that explains what happened: things that moved slide, new ones appear, changed ones turn, one after another.

const STAGGER = 45; // milliseconds between things that nobody has put in order
const STEP = 260; // and between the steps of what happened

export function still() {
  return document.documentElement.dataset.motion === "off" || matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Where the middle of a part is, as the picture counts: the page around it may move meanwhile. */
function middle(svg, part) {
  const box = part.getBoundingClientRect();
  const { a, e, f } = svg.getScreenCTM() ?? { a: 1, e: 0, f: 0 };
  return { x: (box.x + box.width / 2 - e) / a, y: (box.y + box.height / 2 - f) / a };
}

/** Remember where everything on the picture is. */
export function before(svg) {
  const seen = new Map();
  if (svg && !still())
    for (const part of svg.querySelectorAll("[id]"))
      if (!part.closest("defs")) seen.set(part.id, { place: middle(svg, part), inside: part.innerHTML });
  return seen;
}

/** Show the way from there to what is on the picture now. */
export function after(svg, seen, orders = {}) {
  if (!seen.size || !svg) return;
  let turn = 0;
  const wait = (part) => (part.id in orders ? Math.min(orders[part.id], 12) * STEP : STAGGER * Math.min(turn++, 12));
  for (const part of svg.querySelectorAll("[id]")) {
    if (part.closest("defs") || part.closest("#ghost")) continue;
    const old = seen.get(part.id);
    if (!old) appear(part, wait(part));
    else if (!slide(svg, part, old.place, orders) && old.inside !== part.innerHTML) change(part, wait(part));
  }
}

function appear(part, delay) {
  part.animate({ opacity: [0, 1] }, { duration: 260, delay, fill: "backwards", easing: "ease-out" });
}

function change(part, delay) {
  part.animate({ opacity: [0.1, 1] }, { duration: 420, delay, fill: "backwards", easing: "ease-in-out" });
}

function slide(svg, part, from, orders) {
  const to = middle(svg, part);
  const [x, y] = [from.x - to.x, from.y - to.y];
  if (Math.hypot(x, y) < 2) return false;
  part.animate({ translate: [`${x}px ${y}px`, "0px 0px"] }, {
    duration: 380, delay: (orders[part.id] ?? 0) * STEP, fill: "backwards", easing: "ease-in-out",
  });
  return true;
}
