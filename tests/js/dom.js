// A document for the unit tests: jsdom, and the layout it lacks. Every element is where its data-box says, "x y width
// height" in pixels; the picture's coordinates are the page's.

import { JSDOM } from "jsdom";

/** @import { DOMWindow } from "jsdom" */

/** @param {Element} element */
function boxOf(element) {
  const [x, y, width, height] = (element.getAttribute("data-box") ?? "0 0 0 0").split(" ").map(Number);
  return { x, y, width, height, left: x, top: y, right: x + width, bottom: y + height };
}

const identity = { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0, inverse: () => identity, multiply: () => identity };
const GLOBALS = ["document", "Element", "HTMLElement", "HTMLInputElement", "Text", "location"];

/**
 * Begin a new page, without the listeners of the last one.
 * @param {string} html
 */
export function render(html) {
  const { window } = new JSDOM(`<!doctype html><body>${html}</body>`, { url: "https://ludotheque.example/" });
  addLayout(window);
  for (const name of GLOBALS) Object.assign(globalThis, { [name]: window[name] });
  Object.assign(globalThis, { scrollX: 0, scrollY: 0, scrollBy: () => {} });
  Object.assign(globalThis, { CSS: { escape: (/** @type {string} */ text) => text } });
}

/** @param {DOMWindow} window */
function addLayout({ document, Element }) {
  Object.defineProperties(Element.prototype, {
    getBoundingClientRect: { value: ownBox },
    getBBox: { value: ownBox },
    getScreenCTM: { value: () => identity },
  });
  document.elementsFromPoint = (x, y) =>
    [...document.querySelectorAll("[data-box]")].reverse().filter((element) => {
      const { left, right, top, bottom } = boxOf(element);
      return x >= left && x < right && y >= top && y < bottom;
    });
}

/** @this {Element} */
function ownBox() {
  return boxOf(this);
}

/** The constructors of the page's events. */
function events() {
  return /** @type {Window & typeof globalThis} */ (document.defaultView);
}

/**
 * The first element that matches.
 * @param {string} selector
 * @returns {HTMLElement}
 */
export function find(selector) {
  const element = document.querySelector(selector);
  if (!element) throw new Error(`nothing matches ${selector}`);
  return /** @type {HTMLElement} */ (element);
}

/** @param {string} selector */
export function idsOf(selector) {
  return [...document.querySelectorAll(selector)].map((element) => element.id);
}

/**
 * @param {Element} target
 * @param {{ pointerType?: string, detail?: number, clientX?: number, clientY?: number }} [options]
 */
export function click(target, { pointerType = "mouse", detail = 1, ...place } = {}) {
  const { x, y, width, height } = boxOf(target);
  const middle = { clientX: x + width / 2, clientY: y + height / 2 };
  dispatch(target, new (events().MouseEvent)("click", { bubbles: true, detail, ...middle, ...place }), {
    pointerType,
  });
}

/** @param {Element} target */
export function hover(target, pointerType = "mouse") {
  const { x, y, width, height } = boxOf(target);
  const place = { clientX: x + width / 2, clientY: y + height / 2 };
  dispatch(target, new (events().MouseEvent)("pointermove", { bubbles: true, ...place }), { pointerType });
}

/**
 * Whether the page used the key.
 * @param {Element} target
 * @param {string} key
 * @param {KeyboardEventInit} [options]
 */
export function press(target, key, options = {}) {
  return !target.dispatchEvent(
    new (events().KeyboardEvent)("keydown", { key, bubbles: true, cancelable: true, ...options }),
  );
}

/**
 * @param {Element} target
 * @param {number} deltaY
 */
export function scrollWheel(target, deltaY) {
  return !target.dispatchEvent(new (events().WheelEvent)("wheel", { deltaY, bubbles: true, cancelable: true }));
}

/**
 * @param {HTMLElement} field
 * @param {string} value
 */
export function type(field, value) {
  /** @type {HTMLInputElement} */ (field).value = value;
  field.dispatchEvent(new (events().Event)("input", { bubbles: true }));
}

/**
 * @param {Element} target
 * @param {Event} event
 * @param {object} properties
 */
function dispatch(target, event, properties) {
  target.dispatchEvent(Object.assign(event, properties));
}
