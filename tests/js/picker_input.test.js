import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";

import { CELLS, PIECES, WAYS, buttons, ghost, lit, makePicker, picker, played, pressButton, setUp } from "./board.js";
import { click, find, hover, idsOf, press, scrollWheel } from "./dom.js";

beforeEach(setUp);

describe("turning", () => {
  beforeEach(() => {
    picker.set(WAYS, []);
    click(find("#piece-x"));
    click(find("#cell-b1"));
  });

  it("shows the first one", () => {
    assert.equal(ghost(), "ghost-way-0");
    assert.deepEqual(buttons(), ["Play x-b1-way-0", "otherWay", "flip", "cancel"]);
  });

  it("goes clockwise by R, the wheel and the button, with the same side up", () => {
    assert.ok(press(find("#board"), "r"));
    assert.equal(ghost(), "ghost-way-1");
    assert.ok(scrollWheel(find("#board"), 1));
    assert.equal(ghost(), "ghost-way-0");
    pressButton("otherWay");
    assert.equal(ghost(), "ghost-way-1");
  });

  it("goes against the clock by Shift+R and the wheel", () => {
    press(find("#board"), "f");
    assert.equal(ghost(), "ghost-way-4");
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

  it("goes on clockwise where the piece cannot lie as it was turned", () => {
    press(find("#board"), "r");
    click(find("#cell-c1"), { pointerType: "touch" });
    assert.equal(ghost(), "ghost-way-2");
  });

  it("leaves the wheel alone where there is nothing to turn", () => {
    press(find("#board"), "Escape");
    assert.equal(scrollWheel(find("#board"), 1), false);
  });

  it("leaves other places for the same piece to be picked", () => {
    assert.deepEqual(lit(), ["cell-b1", "cell-c1"]);
    click(find("#piece-x"));
    assert.deepEqual(lit(), ["cell-b1", "cell-c1"]);
    assert.equal(ghost(), null);
  });

  it("is over with a second click on the place, which plays what is shown", () => {
    press(find("#board"), "r");
    click(find("#cell-b1"), { pointerType: "touch" });
    assert.deepEqual(played, ["x-b1-way-1"]);
  });

  it("is over with a click anywhere on the ghost, too", () => {
    click(find("#board"), { clientX: 150, clientY: 150, pointerType: "touch" });
    assert.deepEqual(played, ["x-b1-way-0"]);
  });
});

describe("elements that turn what was picked", () => {
  beforeEach(() => {
    find("svg").innerHTML +=
      `<g id="turn-right" data-box="0 300 9 9"></g><g id="turn-left" data-box="9 300 9 9"></g>`;
    picker.set(
      [...PIECES.slice(0, 2), ["x>", ["piece-x", "turn-right"], ""], ["x<", ["piece-x", "turn-left"], ""]],
      [],
    );
    click(find("#piece-x"));
  });

  it("are chosen by R, clockwise first, and confirmed", () => {
    assert.ok(press(find("#board"), "r"));
    assert.deepEqual(buttons(), ["Play x>", "cancel"]);
    press(find("#board"), "r");
    assert.deepEqual(buttons(), ["Play x<", "cancel"]);
    assert.deepEqual(played, []);
    pressButton("Play x<");
    assert.deepEqual(played, ["x<"]);
  });

  it("are chosen against the clock by Shift+R", () => {
    press(find("#board"), "R", { shiftKey: true });
    assert.deepEqual(buttons(), ["Play x<", "cancel"]);
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
    picker.set([["a1", ["cell-a1"], null], CELLS[1]], []);
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
    picker.set([["a1", ["cell-a1"], null], CELLS[1]], []);
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

  it("belongs to a dialog while one is open", () => {
    picker.set(PIECES, []);
    click(find("#piece-x"));
    document.body.append(Object.assign(document.createElement("dialog"), { open: true }));
    assert.equal(press(find("#board"), "Escape"), false);
    assert.deepEqual(idsOf(".picked"), ["piece-x"]);
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
