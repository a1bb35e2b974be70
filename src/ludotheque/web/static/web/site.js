// What every page has: the switches work without going away, links can be copied, forms show what they need.

import { keep } from "./preferences.js";

const page = document.documentElement;

document.addEventListener("submit", (event) => {
  const theme = event.submitter?.name === "theme" && event.submitter.value;
  if (!theme) return;
  event.preventDefault();
  page.dataset.theme = theme;
  keep("theme", theme);
  for (const picture of document.querySelectorAll("img[data-picture]")) picture.src = `${picture.dataset.picture}?theme=${theme}`;
});

document.querySelectorAll("[data-copy]").forEach((button) => (button.hidden = false));
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const field = button.parentNode.querySelector("input");
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    button.classList.add("done");
  } catch {
    // no clipboard here: the address stands selected
  }
});

for (const field of document.querySelectorAll("input[name=entropy]")) field.value = crypto.getRandomValues(new Uint32Array(4)).join("");

document.querySelectorAll("img[data-unmade]").forEach(showWhenMade);

/** The picture of a puzzle that is still being made: shown once it is there. */
async function showWhenMade(picture) {
  for (let tries = 0; tries < 100; tries++) {
    const address = new URL(picture.src);
    if ((await fetch(address, { cache: "no-store" })).status === 200) {
      address.searchParams.set("made", "yes");
      picture.src = address;
      return;
    }
    await new Promise((done) => setTimeout(done, 3000));
  }
}

const own = document.querySelector("form.own");
if (own) {
  const boxes = [...own.querySelectorAll("[name=cell]")];
  const count = () => (own.querySelector("[data-count]").value = boxes.filter((box) => box.checked).length);
  const invert = own.querySelector("[data-invert]");
  own.addEventListener("change", count);
  invert.hidden = false;
  invert.addEventListener("click", () => {
    for (const box of boxes) box.checked = !box.checked;
    count();
  });
  count();
}

const setup = document.querySelector("[data-setup]");
if (setup) {
  setup.addEventListener("change", fit);
  fit();
}

/** Only the players, names and seats that this table will have. */
function fit(event) {
  const seats = Number(setup.elements.seats?.value ?? Infinity);
  const way = setup.elements.way?.value;
  for (const field of setup.querySelectorAll("[data-player]")) {
    const choice = field.querySelector("select");
    field.hidden = Number(field.dataset.player) > seats;
    if (event?.target.name === "way") choice.value = way === "computer" ? choice.value || "2" : "";
    choice.options[0].hidden = choice.options[0].disabled = way === "computer";
  }
  for (const field of setup.querySelectorAll("[data-person]")) {
    const computer = setup.elements[`player-${field.dataset.person - 1}`]?.value;
    field.hidden = way !== "screen" || Number(field.dataset.person) > seats || Boolean(computer);
  }
  for (const choice of setup.elements.seat?.options ?? []) {
    choice.hidden = choice.disabled = Number(choice.value) >= seats;
    choice.textContent = choice.getAttribute(`data-of-${seats}`) ?? choice.textContent;
  }
}
