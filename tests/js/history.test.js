import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";

import { click, find, render, type } from "./dom.js";
import { MatchHistory } from "../../src/ludotheque/web/static/web/history.js";

const CONTROLS = `
  <div id="history" hidden>
    <button data-step="first"></button><button data-step="back"><svg><path/></svg></button>
    <input type="range" min="0" max="0" value="0">
    <button data-step="on"></button><button data-step="last"></button>
  </div>`;

/** @type {(number | "present")[]} */
let shown;
/** @type {MatchHistory} */
let matchHistory;

beforeEach(() => {
  shown = [];
  render(CONTROLS);
  matchHistory = new MatchHistory(find("#history"), {
    onStep: (step) => shown.push(step),
    onPresent: () => shown.push("present"),
  });
});

describe("the controls", () => {
  it("are hidden while there is nothing to step through", () => {
    matchHistory.setRange(0, 0);
    assert.equal(find("#history").hidden, true);
    matchHistory.setRange(0, 1);
    assert.equal(find("#history").hidden, false);
  });

  it("step back and forth, but not beyond the ends", () => {
    matchHistory.setRange(2, 4);
    const steps = ["back", "back", "back", "on", "on", "on", "first", "last"];
    for (const step of steps) click(find(`[data-step=${step}]`));
    assert.deepEqual(shown, [3, 2, 2, 3, "present", "present", 2, "present"]);
  });

  it("take what no step is for the present", () => {
    matchHistory.setRange(0, 4);
    for (const step of [NaN, -1, 77]) {
      matchHistory.startAt(2);
      assert.equal(matchHistory.current, 2);
      matchHistory.startAt(step);
      assert.equal(matchHistory.isInPast, false);
    }
    matchHistory.goTo(NaN);
    assert.deepEqual(shown, ["present"]);
  });

  it("work when the icon inside a button is clicked", () => {
    matchHistory.setRange(0, 4);
    click(find("[data-step=back] path"));
    assert.deepEqual(shown, [3]);
  });

  it("ignore clicks beside the buttons", () => {
    matchHistory.setRange(0, 4);
    click(find("#history"));
    assert.deepEqual(shown, []);
  });

  it("follow the slider, whose last place is the present", () => {
    matchHistory.setRange(0, 4);
    type(find("input"), "1");
    type(find("input"), "4");
    assert.deepEqual(shown, [1, "present"]);
    assert.equal(matchHistory.isInPast, false);
  });
});

describe("the present", () => {
  it("moves on with the match", () => {
    matchHistory.setRange(0, 4);
    matchHistory.setRange(0, 5);
    assert.equal(matchHistory.current, 5);
    assert.equal(matchHistory.slider.value, "5");
  });

  it("does not take along whoever looks at an earlier position", () => {
    matchHistory.setRange(0, 4);
    matchHistory.goTo(1);
    matchHistory.setRange(0, 5);
    assert.equal(matchHistory.current, 1);
    assert.equal(matchHistory.isInPast, true);
    assert.equal(matchHistory.slider.value, "1");
    assert.equal(matchHistory.slider.max, "5");
  });

  it("is where an unknown step leads", () => {
    matchHistory.setRange(0, 4);
    matchHistory.goTo(99);
    assert.deepEqual(shown, ["present"]);
    matchHistory.goTo(-99);
    assert.equal(matchHistory.current, 0);
  });
});

describe("starting at a step", () => {
  it("shows nothing anew, since the server has rendered it", () => {
    matchHistory.setRange(0, 4);
    matchHistory.startAt(2);
    assert.deepEqual(shown, []);
    assert.equal(matchHistory.slider.value, "2");
    click(find("[data-step=on]"));
    assert.deepEqual(shown, [3]);
  });

  it("knows the last step as the present", () => {
    matchHistory.setRange(0, 4);
    matchHistory.startAt(4);
    assert.equal(matchHistory.isInPast, false);
  });
});
