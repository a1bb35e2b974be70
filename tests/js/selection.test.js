import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { Selection } from "../../src/ludotheque/web/static/web/selection.js";

const NOTHING = new Set();

/** A selection of a piece on one place, in these ways, given in any order. @param {number[]} ways */
function laid(...ways) {
  const selection = new Selection();
  selection.setMoves(ways.map((way) => [`x/${way}`, ["x", "cell", `way-${way}`], ""]));
  selection.pick("x");
  selection.findAlternatives(NOTHING);
  return selection;
}

/** @param {Selection} selection */
const way = (selection) => Number(selection.alternative.picks.at(-1)?.slice(-1));

/**
 * The ways that are shown one after the other.
 * @param {Selection} selection
 * @param {() => void} go
 */
function ways(selection, go, times = 4) {
  return Array.from({ length: times }, () => (go(), way(selection)));
}

describe("turning", () => {
  it("begins as the piece is drawn, whatever the order of the moves", () => {
    assert.equal(way(laid(3, 7, 1, 0, 2)), 0);
  });

  it("goes clockwise and round, and never turns the piece over", () => {
    const selection = laid(5, 3, 1, 7, 0, 2, 6, 4);
    assert.deepEqual(
      ways(selection, () => selection.turn(1)),
      [1, 2, 3, 0],
    );
    assert.deepEqual(
      ways(selection, () => selection.turn(-1)),
      [3, 2, 1, 0],
    );
  });

  it("skips what is not legal", () => {
    const selection = laid(3, 5, 0, 2);
    assert.deepEqual(
      ways(selection, () => selection.turn(1)),
      [2, 3, 0, 2],
    );
  });

  it("stays where there is no other turn", () => {
    const selection = laid(1, 4, 5);
    assert.deepEqual(
      ways(selection, () => selection.turn(1)),
      [1, 1, 1, 1],
    );
  });

  it("goes through moves that are no ways in their order", () => {
    const selection = new Selection();
    selection.setMoves([
      ["one", ["x", "b"], ""],
      ["two", ["x", "a"], ""],
    ]);
    selection.pick("x");
    selection.findAlternatives(NOTHING);
    assert.equal(selection.alternative.text, "one");
    selection.turn(1);
    assert.equal(selection.alternative.text, "two");
    assert.equal(selection.canFlip, false);
  });
});

describe("flipping", () => {
  for (const [from, to] of [4, 7, 6, 5, 0, 3, 2, 1].entries())
    it(`mirrors way ${from}`, () => {
      const selection = laid(0, 1, 2, 3, 4, 5, 6, 7);
      selection.show(selection.alternatives[from]);
      selection.flip();
      assert.equal(way(selection), to);
    });

  it("goes on clockwise if the mirror image is not legal", () => {
    const selection = laid(1, 5, 4);
    selection.flip();
    assert.equal(way(selection), 4);
    selection.flip();
    assert.equal(way(selection), 1);
  });

  it("is not offered where one side fits", () => {
    assert.equal(laid(0, 1, 2, 3).canFlip, false);
    assert.equal(laid(0, 4).canFlip, true);
  });
});

describe("what somebody turned to", () => {
  it("is the way a piece lies, until it is turned again", () => {
    const selection = laid(0, 1, 2);
    assert.equal(selection.isTurnedTo(selection.alternative), false, "as it is drawn");
    selection.turn(1);
    assert.ok(selection.isTurnedTo(selection.alternative));
    assert.equal(selection.isTurnedTo(selection.alternatives[2]), false);
  });

  it("is of one piece", () => {
    const selection = laid(0, 1);
    selection.turn(1);
    const [other] = selection.moves.map((move) => ({ ...move, picks: ["y", ...move.picks.slice(1)] })).reverse();
    assert.equal(selection.isTurnedTo(other), false);
  });
});

describe("choices", () => {
  it("make what follows without a choice, and are taken back with it", () => {
    const selection = laid(2);
    assert.deepEqual(selection.path, ["x", "cell", "way-2"]);
    selection.undoPick();
    assert.deepEqual(selection.path, []);
  });

  it("are not what there was no choice about", () => {
    const selection = new Selection();
    selection.setMoves([
      ["one", ["x", "a"], ""],
      ["two", ["x", "b"], ""],
    ]);
    selection.followForced();
    assert.deepEqual(selection.path, ["x"]);
    assert.equal(selection.lastChoice, undefined);
    selection.pick("a");
    assert.equal(selection.lastChoice, "a");
    selection.undoPick();
    assert.deepEqual(selection.path, ["x"]);
    selection.undoPick();
    assert.ok(selection.isEmpty);
  });

  it("are needed where a move needs no pick", () => {
    const selection = new Selection();
    selection.setMoves([
      ["pass", [], ""],
      ["one", ["x"], ""],
    ]);
    selection.followForced();
    assert.ok(selection.isEmpty);
  });

  it("can leave it at the piece", () => {
    const selection = laid(2);
    selection.reset();
    selection.pick("x", false);
    assert.deepEqual(selection.path, ["x"]);
  });
});
