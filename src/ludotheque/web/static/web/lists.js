// Lists of tables that keep themselves up to date: on the front page, and on the page of my tables.

import { morph } from "./morph.js";
import { byId } from "./page.js";

const POLL_MS = { first: 5000, most: 60000 }; // less and less often, until somebody comes back to the page
const SLOWER = 1.2;

const title = document.title;
const lists = byId("lists");
let etag = "";
let wait = POLL_MS.first;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** Ask for the lists, which come if they have changed. A page that nobody sees does not ask. */
async function refresh() {
  clearTimeout(timer);
  if (document.hidden) return;
  const headers = { "If-None-Match": etag };
  const reply = await fetch(lists.dataset.refresh ?? "", { headers }).catch(() => null); // offline: the next one tells
  if (reply?.status === 200) {
    etag = reply.headers.get("ETag") ?? "";
    fill(lists, await reply.text());
  }
  clearTimeout(timer);
  timer = setTimeout(refresh, wait);
  wait = Math.min(wait * SLOWER, POLL_MS.most);
}

/**
 * @param {HTMLElement} element
 * @param {string} html
 */
function fill(element, html) {
  const fresh = /** @type {HTMLElement} */ (element.cloneNode(false));
  const focused = /** @type {HTMLElement | null} */ (document.activeElement);
  fresh.innerHTML = html;
  morph(element, fresh);
  if (focused !== document.activeElement) focused?.focus({ preventScroll: true }); // its card has moved
  showTurns();
}

/** How many tables wait for me, where the browser shows the title. */
function showTurns() {
  const turns = lists.querySelectorAll("li.turn").length;
  document.title = turns ? `(${turns}) ${title}` : title;
}

function refreshSoon() {
  wait = POLL_MS.first;
  return refresh();
}

/** Put a table away, or bring it back, and stay on the page. */
async function sendQuietly(/** @type {SubmitEvent} */ event) {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (!form.matches("[data-quiet]")) return;
  event.preventDefault();
  const body = new FormData(form, event.submitter);
  const reply = await fetch(form.action, { method: "POST", body }).catch(() => null);
  if (!reply?.ok) return location.reload(); // it says what is wrong
  const page = new DOMParser().parseFromString(await reply.text(), "text/html");
  fill(byId("note"), page.getElementById("note")?.innerHTML ?? "");
  await refreshSoon();
  const card = document.getElementById(`table-${new URL(form.action).pathname.split("/")[2]}`);
  (byId("note").querySelector("button") ?? card?.querySelector("a"))?.focus();
}

document.addEventListener("submit", sendQuietly);
document.addEventListener("visibilitychange", refreshSoon);
addEventListener("online", refreshSoon);
addEventListener("pageshow", (event) => event.persisted && refreshSoon());
timer = setTimeout(refresh, wait);
showTurns();
