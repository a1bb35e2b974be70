// What the server put on the page for its scripts: elements, sentences, data and the CSRF token.

/** @import { Command } from "./connection.js" */

/**
 * The element with this id, which every version of the page has.
 * @template {HTMLElement} [T=HTMLElement]
 * @param {string} id
 * @param {{ new (): T }} [type]
 * @returns {T}
 */
export function byId(id, type) {
  const element = document.getElementById(id);
  if (!(element instanceof (type ?? HTMLElement))) throw new TypeError(`no #${id} on this page`);
  return /** @type {T} */ (element);
}

/**
 * The element matching the selector that an event happened in.
 * @param {Event} event
 * @param {string} selector
 * @returns {HTMLElement | null}
 */
export function closest(event, selector) {
  return event.target instanceof Element ? event.target.closest(selector) : null;
}

/** Whether keys typed now belong to a field. @param {Event} event */
export function isTyping(event) {
  return event.target instanceof Element && event.target.matches("input, textarea, select");
}

/** A sentence in the visitor's language. @param {string} name */
export function say(name) {
  return byId("words").dataset[name] ?? name;
}

/** The data that came with the page. */
export function initialState() {
  return JSON.parse(byId("live").textContent ?? "");
}

/**
 * Ask the server why something that was touched cannot be picked; null if there is nothing to say. It is an error if
 * there is no answer.
 * @param {string} address  with a question mark
 * @param {string[]} picks
 * @param {string[]} touched
 */
export async function fetchReason(address, picks, touched) {
  const query = new URLSearchParams([...picks.map((id) => ["pick", id]), ...touched.map((id) => ["touched", id])]);
  const reply = await fetch(`${address}&${query}`);
  if (!reply.ok) throw new Error(`no reason: ${reply.status}`);
  return reply.status === 204 ? null : reply.json();
}

export function csrfToken() {
  return document.querySelector("meta[name=csrf]")?.getAttribute("content") ?? "";
}

/**
 * Show the buttons that need JavaScript.
 * @param {ParentNode} root
 * @param {string} selector
 */
export function reveal(root, selector) {
  for (const element of root.querySelectorAll(selector)) element.toggleAttribute("hidden", false);
}

/** A random number as text, to mix into the table's luck. */
export function entropy() {
  return crypto.getRandomValues(new Uint32Array(4)).join("");
}

/** @param {number} ms */
export function delay(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Write the table's or puzzle's address out in full, to be copied. */
export function showFullAddress() {
  const field = document.getElementById("address");
  if (field instanceof HTMLInputElement) field.value = new URL(field.getAttribute("value") ?? "", location.href).href;
}

/**
 * What a form and the button that submits it say.
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} button
 */
export function commandOf(form, button) {
  const fields = Object.fromEntries(new FormData(form, button));
  return /** @type {Command} */ (/** @type {unknown} */ (fields));
}

/** @param {HTMLFormElement} form */
export function clearTypedMove(form) {
  /** @type {NodeListOf<HTMLInputElement>} */
  const fields = form.querySelectorAll("input[name=move]:not([type=hidden])");
  for (const field of fields) field.value = "";
}
