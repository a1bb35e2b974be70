import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";

import { PIECES, WAYS, buttons, ghost, picker, played, setUp } from "./board.js";
import { find, press } from "./dom.js";
import { Drag } from "../../src/ludotheque/web/static/web/drag.js";

/** @import { WireMove } from "../../src/ludotheque/web/static/web/selection.js" */

/** Piece x on b1 in two quarter turns, and on c1 with either side up. @type {WireMove[]} */
const SOME = WAYS.filter(([text]) => ["x-b1-way-0", "x-b1-way-1"].includes(text)).concat([
  ["x-c1-way-0", ["piece-x", "cell-c1", "way-0"], ""],
  ["x-c1-way-4", ["piece-x", "cell-c1", "way-4"], ""],
]);

/**
 * @param {string} type
 * @param {string} selector  of what is below the pointer
 */
function point(type, selector) {
  const [x, y, width, height] = (find(selector).dataset.box ?? "").split(" ").map(Number);
  const place = { clientX: x + width / 2, clientY: y + height / 2, bubbles: true };
  const { MouseEvent } = /** @type {Window & typeof globalThis} */ (document.defaultView);
  find("#board").dispatchEvent(Object.assign(new MouseEvent(type, place), { isPrimary: true, pointerId: 1 }));
}

/**
 * Drag piece x to a cell, and press a key over it.
 * @param {string} cell
 * @param {string} key
 */
function drag(cell, key) {
  point("pointerdown", "#piece-x");
  point("pointermove", cell);
  press(document.body, key);
  point("pointerup", cell);
}

beforeEach(() => {
  setUp();
  new Drag(picker);
  find("#board").setPointerCapture = () => {};
});

describe("a key while dragging", () => {
  it("says how a piece lies if it turns it, so that the drop plays", () => {
    picker.set(SOME, []);
    drag("#cell-b1", "r");
    assert.deepEqual(played, ["x-b1-way-1"]);
  });

  it("says it if it mirrors the piece, too", () => {
    picker.set(SOME, []);
    drag("#cell-c1", "f");
    assert.deepEqual(played, ["x-c1-way-4"]);
  });

  it("says nothing if there is no other side", () => {
    picker.set(SOME, []);
    drag("#cell-b1", "f");
    assert.deepEqual(played, []);
    assert.equal(ghost(), "ghost-way-0");
    assert.deepEqual(buttons(), ["Play x-b1-way-0", "otherWay", "cancel"]);
  });

  it("says nothing if there is no other turn", () => {
    picker.set(SOME, []);
    drag("#cell-c1", "r");
    assert.deepEqual(played, []);
    assert.deepEqual(buttons(), ["Play x-c1-way-0", "flip", "cancel"]);
  });

  it("says nothing of a piece that has a single way", () => {
    picker.set([...PIECES.slice(2), ["y-b1-way-0", ["piece-y", "cell-b1", "way-0"], ""]], []);
    point("pointerdown", "#piece-y");
    point("pointermove", "#cell-b1");
    assert.ok(press(document.body, "r"), "it is not for the page either");
  });
});
