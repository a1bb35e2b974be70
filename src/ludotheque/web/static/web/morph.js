// Turns what is on the page into what the server drew, keeping every element that is still there. Elements are known
// by their ids; the others by their place. So focus, scrolling and CSS transitions survive.

/** Make `old` like `fresh`. What bears data-keep belongs to the page and is left alone. */
export function morph(old, fresh) {
  if (old.nodeType === Node.TEXT_NODE) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return;
  }
  if (old.nodeType !== Node.ELEMENT_NODE || "keep" in old.dataset) return;
  attributes(old, fresh);
  children(old, fresh);
}

function attributes(old, fresh) {
  const open = "keepOpen" in old.dataset;
  for (const { name } of [...old.attributes])
    if (!fresh.hasAttribute(name) && !(open && name === "open")) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes)
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
}

function children(old, fresh) {
  const named = new Map([...old.children].filter((child) => child.id).map((child) => [child.id, child]));
  let place = old.firstChild;
  for (const wanted of [...fresh.childNodes]) {
    const found = match(place, wanted, named);
    if (!found) {
      old.insertBefore(wanted, place);
      continue;
    }
    if (found === place) place = place.nextSibling;
    else old.insertBefore(found, place);
    morph(found, wanted);
  }
  while (place) {
    const next = place.nextSibling;
    place.remove();
    place = next;
  }
}

function match(place, wanted, named) {
  if (wanted.id) {
    const found = named.get(wanted.id);
    return found?.nodeName === wanted.nodeName ? found : null;
  }
  const same = place && !place.id && place.nodeType === wanted.nodeType && place.nodeName === wanted.nodeName;
  return same ? place : null;
}
