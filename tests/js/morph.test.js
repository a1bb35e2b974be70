import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { find, render } from "./dom.js";
import { morph } from "../../src/ludotheque/web/static/web/morph.js";

/**
 * Morph one page into another.
 * @param {string} old
 * @param {string} fresh
 */
function change(old, fresh) {
  render(`<main>${old}</main>`);
  const elements = new Map([...document.querySelectorAll("main *")].map((element) => [element.id, element]));
  return {
    elements,
    to: () => {
      const wanted = /** @type {HTMLElement} */ (find("main").cloneNode(false));
      wanted.innerHTML = fresh;
      morph(find("main"), wanted);
      return find("main").innerHTML;
    },
  };
}

describe("morph", () => {
  for (const [what, old, fresh] of [
    ["text", "<p>one</p>", "<p>two</p>"],
    ["attributes", '<p class="a" title="t"></p>', '<p class="b" lang="fr"></p>'],
    ["elements that come and go", '<i id="a"></i><b id="b"></b>', '<b id="b"></b><u id="c"></u>'],
    ["the kind of an element", '<i id="a">x</i>', '<b id="a">x</b>'],
    ["everything to nothing", "<p>x</p>y", ""],
    ["nothing to something", "", "y<p>x</p>"],
  ])
    it(`changes ${what}`, () => assert.equal(change(old, fresh).to(), fresh));

  it("keeps elements that have an id, wherever they go", () => {
    const { elements, to } = change(
      '<i id="a">1</i><i id="b">2</i><i id="c">3</i>',
      '<i id="c">3</i><i id="a">9</i>',
    );
    assert.equal(to(), '<i id="c">3</i><i id="a">9</i>');
    assert.equal(find("#a"), elements.get("a"));
    assert.equal(find("#c"), elements.get("c"));
  });

  it("keeps elements without an id that stay in their place", () => {
    const { elements, to } = change("<p>one</p>", "<p>two</p>");
    to();
    assert.equal(find("p"), elements.get(""));
  });

  it("leaves alone what belongs to the page's scripts", () => {
    const { to } = change('<div id="bar" data-keep>mine</div>', '<div id="bar" data-keep class="x">theirs</div>');
    assert.equal(to(), '<div id="bar" data-keep="">mine</div>');
  });

  it("leaves what the visitor opened open, and its content up to date", () => {
    const old = '<details id="a" data-keep-open open>old</details><details id="b" open></details>';
    const { to } = change(old, '<details id="a" data-keep-open>new</details><details id="b"></details>');
    assert.equal(to(), '<details id="a" data-keep-open="" open="">new</details><details id="b"></details>');
  });

  it("keeps the focus and what is being typed", () => {
    const { to } = change('<input id="name"><p>1</p>', '<p>0</p><input id="name"><p>2</p>');
    const field = /** @type {HTMLInputElement} */ (find("#name"));
    field.focus();
    field.value = "Ada";
    to();
    assert.equal(/** @type {HTMLInputElement} */ (find("#name")).value, "Ada");
  });
});
