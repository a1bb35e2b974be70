import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";

import { CELLS, PIECES, WAYS, buttons, ghost, lit, makePicker, picker, played, pressButton, setUp } from "./board.js";
import { click, find, idsOf, press } from "./dom.js";

const reason = () => find(".reason:last-of-type").textContent;

/** Until what was asked of the server is answered. */
const settled = () => new Promise((resolve) => setTimeout(resolve));

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

  it("takes the only place there is, and plays it when it is confirmed", () => {
    picker.set(PIECES, []);
    click(find("#piece-y"));
    assert.deepEqual(played, []);
    assert.deepEqual(idsOf(".picked"), ["cell-c1", "piece-y"]);
    assert.deepEqual(buttons(), ["Play y-c1", "cancel"]);
    click(find("#cell-c1"));
    assert.deepEqual(played, ["y-c1"]);
  });

  it("takes the choice back together with what it led to", () => {
    picker.set(PIECES, []);
    click(find("#piece-y"));
    click(find("#piece-y"));
    assert.deepEqual(idsOf(".picked"), []);
    click(find("#piece-y"));
    pressButton("cancel");
    assert.deepEqual(lit(), ["piece-x", "piece-y"]);
    assert.deepEqual(played, []);
  });

  it("plays at once where only one way is left", () => {
    picker.set([...PIECES, ["x-a1", ["piece-x", "cell-a1", "way-3"], ""]], []);
    click(find("#piece-x"));
    click(find("#cell-a1"));
    assert.deepEqual(played, ["x-a1"]);
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

  it("begins again with another piece", async () => {
    picker.set(PIECES, []);
    click(find("#piece-x"));
    click(find("#piece-y"));
    await settled();
    assert.deepEqual(idsOf(".picked"), ["cell-c1", "piece-y"]);
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

  it("keeps how a move is written out of its button's tooltip", () => {
    picker.set([["cut 3", [], "", "Couper le long de la ligne 3"]], []);
    assert.deepEqual(buttons(), ["Couper le long de la ligne 3"]);
    assert.equal(find("#bar button").title, "");
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

describe("a choice with one possibility", () => {
  it("is made, shown, and played when it is confirmed", () => {
    picker.set([CELLS[0]], []);
    assert.deepEqual(played, []);
    assert.equal(ghost(), "ghost-a1");
    assert.deepEqual(buttons(), ["Play a1", "cancel"]);
    assert.deepEqual(lit(), ["cell-a1"]);
    assert.equal(find("svg").getAttribute("role"), "group", "there is something to focus");
    click(find("#cell-a1"), { pointerType: "touch" });
    assert.deepEqual(played, ["a1"]);
  });

  it("is made up to where there is a choice", () => {
    picker.set(PIECES.slice(0, 2), []);
    assert.deepEqual(idsOf(".picked"), ["piece-x"]);
    assert.deepEqual(lit(), ["cell-b1", "cell-c1"]);
    click(find("#piece-x"));
    assert.deepEqual(idsOf(".picked"), ["piece-x"], "it stays in hand");
    click(find("#cell-c1"));
    assert.deepEqual(played, ["x-c1"]);
  });

  it("goes through to the end, whatever of it is touched first", () => {
    picker.set(PIECES.slice(2), []);
    assert.deepEqual(idsOf(".picked"), ["cell-c1", "piece-y"]);
    click(find("#piece-y"));
    assert.deepEqual(idsOf(".picked"), ["cell-c1", "piece-y"]);
    assert.deepEqual(played, []);
    click(find("#cell-c1"));
    assert.deepEqual(played, ["y-c1"]);
  });

  it("is put aside by Escape, once, and can be taken up again", () => {
    picker.set([CELLS[0]], []);
    assert.ok(press(find("#board"), "Escape"));
    assert.deepEqual(buttons(), []);
    assert.equal(press(find("#board"), "Escape"), false);
    assert.deepEqual(lit(), ["cell-a1"]);
    click(find("#cell-a1"));
    assert.deepEqual(played, ["a1"]);
  });

  it("is none while a move without picks is possible, too", () => {
    picker.set([["pass", [], ""], CELLS[0]], []);
    assert.equal(ghost(), null);
    assert.deepEqual(played, []);
  });

  it("is no longer made when there are others", () => {
    picker.set([CELLS[0]], []);
    picker.set(CELLS, []);
    assert.deepEqual(lit(), ["cell-a1", "cell-b1"]);
    assert.equal(ghost(), null);
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

  it("cancels after a click on what nobody knows a reason for", async () => {
    picker.set(PIECES, []);
    click(find("#piece-x"));
    click(find("#cell-a2"));
    await settled();
    assert.deepEqual(played, []);
    assert.deepEqual(lit(), ["piece-x", "piece-y"]);
  });

  it("tell why, at the place, and leave the piece in hand", async () => {
    /** @type {string[][][]} */
    const asked = [];
    makePicker({ fetchReason: async (...question) => (asked.push(question), { say: "No room.", id: "cell-a2" }) });
    picker.set(PIECES, []);
    click(find("#piece-x"));
    click(find("#cell-a2"));
    await settled();
    assert.deepEqual(asked, [[["piece-x"], ["cell-a2"]]]);
    assert.equal(reason(), "No room.");
    assert.deepEqual(idsOf(".picked"), ["piece-x"]);
    press(find("#board"), "a");
    assert.equal(reason(), "");
  });

  it("say that there is no answer, and leave the piece in hand", async () => {
    makePicker({ fetchReason: () => Promise.reject(new Error("no reason: 429")) });
    picker.set(PIECES, []);
    click(find("#piece-x"));
    click(find("#cell-a2"));
    await settled();
    assert.equal(reason(), "unanswered");
    assert.deepEqual(idsOf(".picked"), ["piece-x"]);
    assert.deepEqual(lit(), ["cell-b1", "cell-c1"]);
  });

  it("ask about the piece, not about the place that was shown", async () => {
    /** @type {string[][][]} */
    const asked = [];
    makePicker({ fetchReason: async (...question) => (asked.push(question), null) });
    picker.set(WAYS, []);
    click(find("#piece-x"));
    click(find("#cell-b1"));
    click(find("#cell-a1"));
    await settled();
    assert.deepEqual(asked, [[["piece-x"], ["cell-a1"]]]);
  });

  it("ask only whose turn it is when there is nothing to pick", async () => {
    /** @type {string[][][]} */
    const asked = [];
    makePicker({ fetchReason: async (...question) => (asked.push(question), null) });
    picker.set([], []);
    click(find("#cell-a1"));
    assert.deepEqual(asked, [[[], []]]);
    picker.set(CELLS, []);
    click(find("#cell-a1"));
    click(find("#cell-b1"));
    assert.deepEqual(played, ["a1"]);
    assert.equal(asked.length, 1);
  });

  it("take another piece instead", async () => {
    picker.set([...PIECES, ["y-b1", ["piece-y", "cell-b1"], ""]], []);
    click(find("#piece-x"));
    click(find("#piece-y"));
    await settled();
    assert.deepEqual(idsOf(".picked"), ["piece-y"]);
  });

  it("say of what fits nowhere that it does", async () => {
    picker.set(PIECES.slice(0, 2), [], ["piece-y"]);
    assert.deepEqual(idsOf(".stuck"), ["piece-y"]);
    click(find("#piece-y"));
    await settled();
    assert.equal(reason(), "stuck");
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

  it("is by the button alone for those who prefer it", () => {
    makePicker({ mustConfirm: () => true });
    picker.set(WAYS, []);
    click(find("#piece-x"));
    click(find("#cell-b1"));
    click(find("#cell-b1"));
    click(find("#board"), { clientX: 150, clientY: 150, pointerType: "touch" });
    press(find("#cell-b1"), "Enter");
    assert.deepEqual(played, []);
    assert.equal(document.activeElement?.textContent, "Play x-b1-way-0");
    pressButton("Play x-b1-way-0");
    assert.deepEqual(played, ["x-b1-way-0"]);
  });

  it("shows a suggested move, which is not played by itself", () => {
    picker.set(PIECES, []);
    picker.suggest("x-c1");
    assert.equal(find("svg").getAttribute("role"), "group");
    assert.equal(find("#cell-c1").getAttribute("role"), "button");
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
