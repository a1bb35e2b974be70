import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";

import { CELLS, PIECES, buttons, lit, makePicker, picker, played, pressButton, setUp } from "./board.js";
import { click, find, idsOf } from "./dom.js";

beforeEach(setUp);

describe("picks", () => {
  it("lights what the first picks can be", () => {
    picker.set(PIECES, []);
    assert.deepEqual(lit(), ["piece-x", "piece-y"]);
    assert.deepEqual(buttons(), []);
  });

  it("plays a move of one pick at the first click", () => {
    picker.set(CELLS, []);
    click(find("#cell-b1"));
    assert.deepEqual(played, ["b1"]);
  });

  it("offers nothing between a move and the next screen", () => {
    picker.set(CELLS, []);
    click(find("#cell-b1"));
    click(find("#cell-a1"));
    assert.deepEqual(lit(), []);
    assert.deepEqual(played, ["b1"]);
  });

  it("goes from pick to pick", () => {
    picker.set(PIECES, []);
    click(find("#piece-x"));
    assert.deepEqual(lit(), ["cell-b1", "cell-c1"]);
    assert.deepEqual(idsOf(".picked"), ["piece-x"]);
    assert.equal(find("#bar").textContent, "pick cancel ");
    click(find("#cell-c1"));
    assert.deepEqual(played, ["x-c1"]);
  });

  it("waits for a second pick even where there is only one", () => {
    picker.set(PIECES, []);
    click(find("#piece-y"));
    assert.deepEqual(played, []);
    assert.deepEqual(lit(), ["cell-c1"]);
  });

  it("takes a pick back when it is clicked again, or by the button", () => {
    picker.set(PIECES, []);
    click(find("#piece-x"));
    click(find("#piece-x"));
    assert.deepEqual(lit(), ["piece-x", "piece-y"]);
    click(find("#piece-x"));
    pressButton("cancel");
    assert.deepEqual(lit(), ["piece-x", "piece-y"]);
    assert.deepEqual(played, []);
  });

  it("begins again with another piece", () => {
    picker.set(PIECES, []);
    click(find("#piece-x"));
    click(find("#piece-y"));
    assert.deepEqual(lit(), ["cell-c1"]);
    assert.deepEqual(idsOf(".picked"), ["piece-y"]);
  });

  it("finds what lies a few pixels beside the click", () => {
    picker.set(CELLS, []);
    click(find("#board"), { clientX: 94, clientY: 40 });
    assert.deepEqual(played, ["b1"]);
  });

  it("keeps picks that still lead to a move when new moves arrive", () => {
    picker.set(PIECES, []);
    click(find("#piece-x"));
    picker.set(PIECES.slice(0, 2), []);
    assert.deepEqual(lit(), ["cell-b1", "cell-c1"]);
    picker.set(PIECES.slice(2), []);
    assert.deepEqual(lit(), ["piece-y"]);
  });

  it("offers moves without picks as buttons", () => {
    picker.set([["pass", [], ""]], []);
    assert.deepEqual(buttons(), ["Play pass"]);
    pressButton("Play pass");
    assert.deepEqual(played, ["pass"]);
  });

  it("marks what the last move touched", () => {
    picker.set([], ["cell-a2"]);
    assert.deepEqual(idsOf(".last"), ["cell-a2"]);
    picker.set([], []);
    assert.deepEqual(idsOf(".last"), []);
  });
});

describe("refused clicks", () => {
  it("ignores what is not lit", () => {
    picker.set(CELLS, []);
    click(find("#cell-c1"));
    click(find("#piece-x"));
    assert.deepEqual(played, []);
    assert.deepEqual(lit(), ["cell-a1", "cell-b1"]);
  });

  it("cancels after a click on what cannot be picked", () => {
    picker.set(PIECES, []);
    click(find("#piece-x"));
    click(find("#cell-a2"));
    assert.deepEqual(played, []);
    assert.deepEqual(lit(), ["piece-x", "piece-y"]);
  });

  it("ignores picks that the picture does not have", () => {
    picker.set([["z9", ["cell-z9"], ""]], []);
    assert.deepEqual(lit(), []);
    assert.deepEqual(buttons(), ["Play z9"]);
  });

  it("offers nothing when it is not one's turn", () => {
    picker.set([], []);
    click(find("#cell-a1"));
    assert.deepEqual(played, []);
    assert.equal(find("svg").getAttribute("role"), "img");
  });
});

describe("confirming", () => {
  it("is needed by touch: the same place again plays", () => {
    picker.set(CELLS, []);
    click(find("#cell-a1"), { pointerType: "touch" });
    assert.deepEqual(played, []);
    assert.deepEqual(buttons(), ["Play a1", "cancel"]);
    click(find("#cell-a1"), { pointerType: "touch" });
    assert.deepEqual(played, ["a1"]);
  });

  it("lets another place be chosen instead", () => {
    picker.set(CELLS, []);
    click(find("#cell-a1"), { pointerType: "touch" });
    assert.deepEqual(lit(), ["cell-a1", "cell-b1"]);
    click(find("#cell-b1"), { pointerType: "touch" });
    assert.deepEqual(buttons(), ["Play b1", "cancel"]);
    pressButton("Play b1");
    assert.deepEqual(played, ["b1"]);
  });

  it("is dropped when new moves arrive", () => {
    picker.set(CELLS, []);
    click(find("#cell-a1"), { pointerType: "touch" });
    picker.set(CELLS, []);
    assert.deepEqual(buttons(), []);
    assert.deepEqual(played, []);
  });

  it("is needed by mouse, too, for those who prefer it", () => {
    makePicker({ mustConfirm: () => true });
    picker.set(CELLS, []);
    click(find("#cell-a1"));
    assert.deepEqual(played, []);
    pressButton("cancel");
    assert.deepEqual(lit(), ["cell-a1", "cell-b1"]);
  });

  it("shows a suggested move, which is not played by itself", () => {
    picker.set(PIECES, []);
    picker.suggest("x-c1");
    assert.deepEqual(played, []);
    assert.deepEqual(buttons(), ["Play x-c1", "cancel"]);
    pressButton("Play x-c1");
    assert.deepEqual(played, ["x-c1"]);
  });

  it("ignores a suggestion that is not legal", () => {
    picker.set(PIECES, []);
    picker.suggest("x-a9");
    assert.deepEqual(buttons(), []);
  });
});
