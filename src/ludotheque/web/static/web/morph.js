// Updates the page to new HTML, keeping every element that is still there, so that focus, scrolling and CSS
// transitions survive. Elements are matched by id, those without one by position.

/**
 * Make `old` like `fresh`. Elements with data-keep belong to the page's scripts and are left alone.
 * @param {Node} old
 * @param {Node} fresh
 */
export function morph(old, fresh) {
  if (old instanceof Text && fresh instanceof Text) {
    if (old.data !== fresh.data) old.data = fresh.data;
  } else if (old instanceof Element && fresh instanceof Element && !old.hasAttribute("data-keep")) {
    morphAttributes(old, fresh);
    morphChildren(old, fresh);
  }
}

/**
 * With data-keep-open, whether a <details> is open stays as the visitor left it.
 * @param {Element} old
 * @param {Element} fresh
 */
function morphAttributes(old, fresh) {
  const keepsOpen = old.hasAttribute("data-keep-open");
  for (const { name } of [...old.attributes])
    if (!fresh.hasAttribute(name) && !(keepsOpen && name === "open")) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
}

/**
 * @param {Element} old
 * @param {Element} fresh
 */
function morphChildren(old, fresh) {
  const byId = new Map([...old.children].filter((child) => child.id).map((child) => [child.id, child]));
  let place = old.firstChild;
  for (const wanted of [...fresh.childNodes]) {
    const found = findMatch(place, wanted, byId);
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

/**
 * The node on the page that becomes the wanted one.
 * @param {ChildNode | null} place
 * @param {ChildNode} wanted
 * @param {Map<string, Element>} byId
 */
function findMatch(place, wanted, byId) {
  if (idOf(wanted)) {
    const found = byId.get(idOf(wanted));
    return found?.nodeName === wanted.nodeName ? found : null;
  }
  return place && !idOf(place) && place.nodeName === wanted.nodeName ? place : null;
}

/** @param {Node} node */
function idOf(node) {
  return node instanceof Element ? node.id : "";
}
