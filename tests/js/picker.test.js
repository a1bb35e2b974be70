import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";

import { click, find, hover, idsOf, press, render, scrollWheel } from "./dom.js";
import { Picker } from "../../src/ludotheque/web/static/web/picker.js";

/** @import { PickerOptions } from "../../src/ludotheque/web/static/web/picker.js" */
/** @import { WireMove } from "../../src/ludotheque/web/static/web/selection.js" */

const BOARD = `
  <div id="board" tabindex="-1"><svg>
    <rect id="cell-a1" data-box="0 0 90 90"></rect>
    <rect id="cell-b1" data-box="100 0 90 90"></rect>
    <rect id="cell-c1" data-box="200 0 90 90"></rect>
    <rect id="cell-a2" data-box="0 100 90 90"></rect>
    <circle id="piece-x" data-box="300 0 40 40"><title>X</title></circle>
    <circle id="piece-y" data-box="300 100 40 40"></circle>
  </svg></div>
  <div id="bar"></div>
  <input id="field">`;

/** @type {WireMove[]} */
const CELLS = [
  ["a1", ["cell-a1"], "<path class='ghost-a1'/>"],
  ["b1", ["cell-b1"], "<path class='ghost-b1'/>"],
];

/** Piece x can go to b1 or c1, piece y to c1 only. @type {WireMove[]} */
const PIECES = [
  ["x-b1", ["piece-x", "cell-b1"], ""],
  ["x-c1", ["piece-x", "cell-c1"], ""],
  ["y-c1", ["piece-y", "cell-c1"], ""],
];

/** Piece x on b1 in four of its eight ways: two of either side. @type {WireMove[]} */
const WAYS = ["way-0", "way-1", "way-4", "way-7"].map((way) => [
  `x-b1-${way}`,
  ["piece-x", "cell-b1", way],
  `<path class='ghost-${way}'/>`,
]);

/** @type {string[]} */
let played;
/** @type {Picker} */
let picker;

/** @param {Partial<PickerOptions>} [options] */
function makePicker(options = {}) {
  picker = new Picker(find("#board"), find("#bar"), {
    say: (name) => (name === "play" ? "Play {move}" : name),
    play: (move) => played.push(move),
    mustConfirm: () => false,
    fetchGhost: async () => "",
    ...options,
  });
}

const lit = () => idsOf("#board .lit");
const buttons = () => [...document.querySelectorAll("#bar button")].map((button) => button.textContent);
const ghost = () => document.querySelector("#ghost path")?.getAttribute("class") ?? null;

/** @param {string} label */
function pressButton(label) {
  const button = [...document.querySelectorAll("#bar button")].find((each) => each.textContent === label);
  assert.ok(button, `no button ${label}`);
  click(button);
}

beforeEach(() => {
  played = [];
  render(BOARD);
  makePicker();
});

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

describe("cycling through alternatives", () => {
  beforeEach(() => {
    picker.set(WAYS, []);
    click(find("#piece-x"));
    click(find("#cell-b1"));
  });

  it("shows the first one", () => {
    assert.equal(ghost(), "ghost-way-0");
    assert.deepEqual(buttons(), ["Play x-b1-way-0", "otherWay", "flip", "cancel"]);
  });

  it("goes on by another click, R, the wheel and the button, and round", () => {
    click(find("#cell-b1"));
    assert.equal(ghost(), "ghost-way-1");
    assert.ok(press(find("#board"), "r"));
    assert.equal(ghost(), "ghost-way-4");
    assert.ok(scrollWheel(find("#board"), 1));
    assert.equal(ghost(), "ghost-way-7");
    pressButton("otherWay");
    assert.equal(ghost(), "ghost-way-0");
  });

  it("goes back by Shift+R and the wheel", () => {
    press(find("#board"), "R", { shiftKey: true });
    assert.equal(ghost(), "ghost-way-7");
    scrollWheel(find("#board"), -1);
    assert.equal(ghost(), "ghost-way-4");
  });

  it("flips to the mirror image by F and the button", () => {
    press(find("#board"), "f");
    assert.equal(ghost(), "ghost-way-4");
    press(find("#board"), "f");
    assert.equal(ghost(), "ghost-way-0");
    press(find("#board"), "r");
    pressButton("flip");
    assert.equal(ghost(), "ghost-way-7");
  });

  it("plays the one that is shown", () => {
    press(find("#board"), "r");
    pressButton("Play x-b1-way-1");
    assert.deepEqual(played, ["x-b1-way-1"]);
  });

  it("remembers the orientation for the next choice", () => {
    press(find("#board"), "r");
    press(find("#board"), "Escape");
    click(find("#cell-b1"));
    assert.equal(ghost(), "ghost-way-1");
  });

  it("leaves the wheel alone where there is nothing to cycle through", () => {
    press(find("#board"), "Escape");
    assert.equal(scrollWheel(find("#board"), 1), false);
  });
});

describe("ghosts", () => {
  it("appear under the mouse, not under a finger", () => {
    picker.set(CELLS, []);
    hover(find("#cell-a1"), "touch");
    assert.equal(ghost(), null);
    hover(find("#cell-a1"));
    assert.equal(ghost(), "ghost-a1");
    hover(find("#cell-a2"));
    assert.equal(ghost(), null);
  });

  it("do not appear while several moves are possible", () => {
    picker.set(PIECES, []);
    hover(find("#piece-x"));
    assert.equal(ghost(), null);
  });

  it("are fetched once, when they did not come with the moves", async () => {
    /** @type {string[]} */
    const asked = [];
    makePicker({ fetchGhost: async (move) => (asked.push(move), "<path class='fetched'/>") });
    picker.set([["a1", ["cell-a1"], null]], []);
    hover(find("#cell-a1"));
    await Promise.resolve();
    assert.equal(ghost(), "fetched");
    hover(find("#cell-a2"));
    hover(find("#cell-a1"));
    assert.equal(ghost(), "fetched");
    assert.deepEqual(asked, ["a1"]);
  });

  it("are dropped when they come too late", async () => {
    makePicker({ fetchGhost: async () => "<path class='late'/>" });
    picker.set([["a1", ["cell-a1"], null]], []);
    hover(find("#cell-a1"));
    hover(find("#cell-a2"));
    await Promise.resolve();
    assert.equal(ghost(), null);
  });
});

describe("keyboard", () => {
  it("reaches one element by Tab, named for screen readers", () => {
    picker.set(PIECES, []);
    assert.deepEqual(idsOf("#board [tabindex='0']"), ["piece-x"]);
    assert.equal(find("#piece-x").getAttribute("role"), "button");
    assert.equal(find("#piece-x").getAttribute("aria-label"), "X");
    assert.equal(find("#piece-y").getAttribute("aria-label"), "y");
  });

  it("moves the focus to the nearest element in the direction of an arrow", () => {
    picker.set([...CELLS, ["c1", ["cell-c1"], ""], ["a2", ["cell-a2"], ""]], []);
    find("#cell-a1").focus();
    press(find("#cell-a1"), "ArrowRight");
    assert.equal(document.activeElement?.id, "cell-b1");
    assert.equal(ghost(), "ghost-b1");
    press(find("#cell-b1"), "ArrowLeft");
    press(find("#cell-a1"), "ArrowDown");
    assert.equal(document.activeElement?.id, "cell-a2");
    press(find("#cell-a2"), "ArrowDown");
    assert.equal(document.activeElement?.id, "cell-a2");
  });

  it("prefers what lies straight ahead to what lies aside", () => {
    picker.set(
      ["cell-c1", "piece-y", "piece-x"].map((id) => [id, [id], ""]),
      [],
    );
    press(find("#cell-c1"), "ArrowRight");
    assert.equal(document.activeElement?.id, "piece-x");
  });

  it("picks by Enter and Space, and the focus follows", () => {
    picker.set(PIECES, []);
    find("#piece-x").focus();
    press(find("#piece-x"), "Enter");
    assert.equal(document.activeElement?.id, "cell-b1");
    press(find("#cell-b1"), " ");
    assert.deepEqual(played, ["x-b1"]);
    assert.equal(document.activeElement?.id, "board");
  });

  it("plays the alternative that is shown by Enter", () => {
    picker.set(WAYS, []);
    press(find("#piece-x"), "Enter");
    press(find("#cell-b1"), "Enter");
    press(find("#cell-b1"), "r");
    press(find("#cell-b1"), "Enter");
    assert.deepEqual(played, ["x-b1-way-1"]);
  });

  it("takes a pick back by Escape", () => {
    picker.set(PIECES, []);
    press(find("#piece-x"), "Enter");
    assert.ok(press(find("#board"), "Escape"));
    assert.deepEqual(lit(), ["piece-x", "piece-y"]);
    assert.equal(press(find("#board"), "Escape"), false);
  });

  it("leaves keys alone that belong to a field or to the browser", () => {
    picker.set(WAYS, []);
    click(find("#piece-x"));
    click(find("#cell-b1"));
    assert.equal(press(find("#field"), "r"), false);
    assert.equal(press(find("#board"), "r", { ctrlKey: true }), false);
    assert.equal(ghost(), "ghost-way-0");
  });
});
