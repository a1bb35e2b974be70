import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { ReceivedScreen } from "../../src/ludotheque/web/static/web/patch.js";

/** @import { ScreenUpdate } from "../../src/ludotheque/web/static/web/patch.js" */
/** @import { WireMove } from "../../src/ludotheque/web/static/web/selection.js" */

const FACTS = {
  version: 1,
  stuck: [],
  last: [],
  seat: 0,
  first: 0,
  steps: 1,
  before: 0,
  over: false,
  events: 1,
  own: false,
  story: [],
};
/** @type {WireMove} */
const MOVE = ["d4", ["cell-d4"], "<path/>"];

/** @param {Partial<ScreenUpdate>} update @returns {ScreenUpdate} */
function update(update) {
  return { ...FACTS, moves: [], ...update };
}

describe("a received screen", () => {
  it("is at first what was sent", () => {
    const screen = new ReceivedScreen().apply(update({ html: "<p>\u001eone\u001e</p>", moves: [MOVE] }));
    assert.equal(screen.html, "<p>one</p>");
    assert.deepEqual(screen.moves, [MOVE]);
  });

  it("is then changed where it differs", () => {
    const received = new ReceivedScreen();
    received.apply(update({ html: "<p>\u001eone two three\u001e</p>" }));
    assert.equal(received.apply(update({ changes: [[1, 4, 3, "2"]] })).html, "<p>one 2 three</p>");
    const changes = /** @type {import("../../src/ludotheque/web/static/web/patch.js").Change[]} */ ([
      [1, 0, 3, "1"],
      [2, 4, 0, "<hr>"],
    ]);
    assert.equal(received.apply(update({ changes })).html, "<p>1 2 three</p><hr>");
  });

  it("counts positions in UTF-16 code units, as the server does", () => {
    const received = new ReceivedScreen();
    received.apply(update({ html: "🂡 a" }));
    assert.equal(received.apply(update({ changes: [[0, 3, 1, "b"]] })).html, "🂡 b");
  });

  it("stays as it is when nothing changed", () => {
    const received = new ReceivedScreen();
    received.apply(update({ html: "<p>\u001ex</p>" }));
    assert.equal(received.apply(update({ changes: [] })).html, "<p>x</p>");
  });

  it("knows the moves that were sent before by name, in the latest version", () => {
    const received = new ReceivedScreen();
    received.apply(update({ html: "", moves: [MOVE] }));
    assert.deepEqual(received.apply(update({ changes: [], moves: ["d4"] })).moves, [MOVE]);
    /** @type {WireMove} */
    const other = ["d4", ["cell-d4"], "<circle/>"];
    received.apply(update({ changes: [], moves: [other] }));
    assert.deepEqual(received.apply(update({ changes: [], moves: ["d4"] })).moves, [other]);
  });
});
