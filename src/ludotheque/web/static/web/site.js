// What every page has: theme switch, buttons that copy a link, and forms that show only the fields they need.

import { closest, delay, entropy, reveal } from "./page.js";
import { setPreference } from "./preferences.js";

const LUCK_TIMEOUT_MS = 4000;
const PICTURE_POLL = { intervalMs: 3000, attempts: 100 };

document.addEventListener("submit", (event) => {
  const button = event.submitter;
  if (!(button instanceof HTMLButtonElement) || button.name !== "theme" || !button.value) return;
  event.preventDefault();
  setTheme(button.value);
});

/** @param {string} theme */
function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  setPreference("theme", theme);
  /** @type {NodeListOf<HTMLImageElement>} */
  const pictures = document.querySelectorAll("img[data-picture]");
  for (const picture of pictures) {
    const address = new URL(picture.dataset.picture ?? "", location.href);
    address.searchParams.set("theme", theme);
    picture.src = address.href;
  }
}

reveal(document, "[data-copy]");
document.addEventListener("click", async (event) => {
  const button = closest(event, "[data-copy]");
  const field = button?.parentElement?.querySelector("input");
  if (!button || !field) return;
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    button.classList.add("done");
  } catch {
    // no clipboard: the address stays selected
  }
});

if ("share" in navigator) document.documentElement.dataset.canShare = ""; // shows the buttons
document.addEventListener("click", (event) => {
  const button = closest(event, "[data-share]");
  const url = button?.parentElement?.querySelector("input")?.value;
  if (url) navigator.share({ title: document.title, url }).catch(() => {}); // thought better of it
});

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !form.querySelector("input[name=entropy]")) return;
  event.preventDefault();
  if (form.dataset.mixing) return; // the second click of two
  form.dataset.mixing = "yes";
  await mixLuck(form);
  form.submit();
});
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-mixing]")) form.removeAttribute("data-mixing");
});

/**
 * Add to the luck of the table that the form will set, once that is fixed: without it the table is set all the same.
 * @param {HTMLFormElement} form
 */
async function mixLuck(form) {
  const fields = /** @type {Record<string, HTMLInputElement>} */ ({});
  for (const name of ["luck", "entropy"]) {
    fields[name] = form.querySelector(`input[name=${name}]`) ?? document.createElement("input");
    Object.assign(fields[name], { type: "hidden", name, value: "" });
    form.append(fields[name]);
  }
  const body = new URLSearchParams({ csrfmiddlewaretoken: valueOf(form, "csrfmiddlewaretoken") ?? "" });
  const timeout = AbortSignal.timeout(LUCK_TIMEOUT_MS);
  const reply = await fetch("/luck", { method: "POST", body, signal: timeout }).catch(() => null);
  const { luck, commitment } = (reply?.ok && (await reply.json().catch(() => null))) || {};
  if (!luck || !commitment) return;
  fields.luck.value = luck;
  fields.entropy.value = entropy();
}

/** @type {NodeListOf<HTMLImageElement>} */
const unmadePictures = document.querySelectorAll("img[data-unmade]");
unmadePictures.forEach(showWhenMade);

/** Show the picture of a puzzle that is still being made, once it is there. @param {HTMLImageElement} picture */
async function showWhenMade(picture) {
  for (let attempt = 0; attempt < PICTURE_POLL.attempts; attempt++) {
    const address = new URL(picture.src);
    if ((await fetch(address, { cache: "no-store" })).status === 200) {
      address.searchParams.set("made", "yes");
      picture.src = address.href;
      return;
    }
    await delay(PICTURE_POLL.intervalMs);
  }
}

/** @type {HTMLFormElement | null} */
const ownPuzzle = document.querySelector("form.own");
if (ownPuzzle) enhanceOwnPuzzle(ownPuzzle);

/** The form for a puzzle of one's own: count the cells, and invert them. @param {HTMLFormElement} form */
function enhanceOwnPuzzle(form) {
  /** @type {NodeListOf<HTMLInputElement>} */
  const boxes = form.querySelectorAll("[name=cell]");
  const count = () => {
    const output = form.querySelector("output");
    if (output) output.value = String([...boxes].filter((box) => box.checked).length);
  };
  form.addEventListener("change", count);
  reveal(form, "[data-invert]");
  form.querySelector("[data-invert]")?.addEventListener("click", () => {
    for (const box of boxes) box.checked = !box.checked;
    count();
  });
  count();
}

/** @type {HTMLFormElement | null} */
const setup = document.querySelector("[data-setup]");
if (setup) {
  setup.addEventListener("change", (event) => fitSetup(setup, event));
  fitSetup(setup);
}

/**
 * Show only the players, names and seats that the new table will have.
 * @param {HTMLFormElement} form
 * @param {Event} [event]
 */
function fitSetup(form, event) {
  const seats = Number(valueOf(form, "seats") ?? Infinity);
  const way = valueOf(form, "way");
  const wayChanged = event?.target instanceof HTMLInputElement && event.target.name === "way";
  fitPlayers(form, seats, way === "computer", wayChanged);
  /** @type {NodeListOf<HTMLElement>} */
  const names = form.querySelectorAll("[data-person]");
  for (const field of names) {
    const person = Number(field.dataset.person);
    field.hidden = way !== "screen" || person > seats || Boolean(valueOf(form, `player-${person - 1}`));
  }
  /** @type {NodeListOf<HTMLOptionElement>} */
  const roles = form.querySelectorAll("[name=seat] option");
  for (const role of roles) {
    role.hidden = role.disabled = Number(role.value) >= seats;
    role.textContent = role.getAttribute(`data-of-${seats}`) ?? role.textContent;
  }
}

/**
 * Show a choice between person and computer for every other seat.
 * @param {HTMLFormElement} form
 * @param {number} seats
 * @param {boolean} onlyComputers
 * @param {boolean} wayChanged
 */
function fitPlayers(form, seats, onlyComputers, wayChanged) {
  /** @type {NodeListOf<HTMLElement>} */
  const players = form.querySelectorAll("[data-player]");
  for (const field of players) {
    const choice = /** @type {HTMLSelectElement} */ (field.querySelector("select"));
    const person = choice.options[0];
    field.hidden = Number(field.dataset.player) > seats;
    if (wayChanged) choice.value = onlyComputers ? choice.value || "2" : "";
    person.hidden = person.disabled = onlyComputers;
  }
}

/**
 * The value of a field of a form, if it has one of this name.
 * @param {HTMLFormElement} form
 * @param {string} name
 */
function valueOf(form, name) {
  const field = form.elements.namedItem(name);
  return /** @type {HTMLSelectElement | RadioNodeList | null} */ (field)?.value;
}
