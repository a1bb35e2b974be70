import assert from "node:assert/strict";
import { beforeEach, describe, it, mock } from "node:test";

import { render } from "./dom.js";
import { beatMs, MAX_QUEUED, MOTION_MS, PACES, Story, timeline } from "../../src/ludotheque/web/static/web/story.js";

/** @import { Beat, Scene } from "../../src/ludotheque/web/static/web/story.js" */
/** @import { Screen } from "../../src/ludotheque/web/static/web/connection.js" */

/** @type {Beat["motions"]} */
const FLIP = [{ kind: "flip", what: "topping-c3", to: "topping-c3", svg: "" }];

/**
 * @param {string} say
 * @returns {Beat}
 */
function beat(say, motions = FLIP) {
  return { say, cues: [], motions };
}

/**
 * A scene whose screen has this name.
 * @param {string} name
 * @param {Partial<Scene>} [rest]
 * @returns {Scene}
 */
function scene(name, rest = {}) {
  const screen = /** @type {Screen} */ (/** @type {unknown} */ (name));
  return { beats: [beat(name)], picture: "", taken: false, holds: false, aside: false, own: false, screen, ...rest };
}

/** @type {string[]} */
let seen;
/** @type {Story} */
let story;

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  render("");
  setHidden(false);
  seen = [];
  story = new Story({
    pace: () => "usual",
    begin: ({ screen }, _starts, open) => seen.push(`${open ? "open" : "begin"} ${screen}`),
    tell: ({ say }) => seen.push(`tell ${say}`),
    end: ({ screen }) => seen.push(`end ${screen}`),
    seek: (ms) => seen.push(`seek ${ms}`),
    pause: (paused) => seen.push(paused ? "pause" : "resume"),
    hold: () => {},
  });
});

/** Hide or show the page. @param {boolean} hidden */
function setHidden(hidden) {
  Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
  const { Event } = /** @type {Window & typeof globalThis} */ (document.defaultView);
  document.dispatchEvent(new Event("visibilitychange"));
}

describe("the timeline", () => {
  it("holds a beat for its animation and as long as it takes to read", () => {
    const { base, character } = PACES.usual;
    assert.equal(beatMs(beat("four"), "usual"), MOTION_MS + base + 4 * character);
    assert.equal(beatMs(beat("four", []), "usual"), base + 4 * character);
    assert.equal(beatMs(beat(""), "usual"), MOTION_MS);
  });

  it("begins each beat where the one before ends", () => {
    const beats = [beat("one"), beat(""), beat("three")];
    const [first, second, third, end] = timeline(beats, "quick");
    assert.equal(first, 0);
    assert.equal(second, beatMs(beats[0], "quick"));
    assert.equal(third - second, MOTION_MS);
    assert.equal(end - third, beatMs(beats[2], "quick"));
  });

  it("is longer the slower one wants it", () => {
    const [slow, usual, quick] = /** @type {const} */ (["slow", "usual", "quick"]).map((pace) =>
      beatMs(beat("x"), pace),
    );
    assert.ok(slow > usual && usual > quick);
  });
});

describe("the queue", () => {
  it("shows a quiet scene at once, and the turn begins", () => {
    story.add([scene("topping")]);
    assert.deepEqual(seen, ["open topping"]);
    assert.equal(story.isHeld, false);
  });

  it("keeps the next scene back until the one before was seen", () => {
    story.add([scene("knives", { holds: true })]);
    story.add([scene("topping")]);
    assert.deepEqual(seen, ["begin knives", "tell knives"]);
    mock.timers.tick(beatMs(beat("knives"), "usual") - 1);
    assert.equal(seen.length, 2);
    mock.timers.tick(1);
    assert.deepEqual(seen.slice(2), ["end knives", "open topping"]);
  });

  it("holds a quiet scene, too, while another waits behind it", () => {
    story.add([scene("first")]);
    story.add([scene("second")]);
    story.add([scene("third")]);
    assert.equal(story.isHeld, true);
    mock.timers.tick(beatMs(beat("first"), "usual"));
    assert.deepEqual(seen, ["open first", "begin second", "tell second"]);
    mock.timers.tick(beatMs(beat("second"), "usual"));
    assert.equal(seen.at(-1), "open third");
    assert.equal(story.isHeld, false);
  });

  it("tells beat after beat", () => {
    story.add([scene("cut", { holds: true, beats: [beat("knives"), beat("flips")] })]);
    mock.timers.tick(beatMs(beat("knives"), "usual"));
    assert.deepEqual(seen, ["begin cut", "tell knives", "tell flips"]);
  });

  it("goes on to the next beat when asked", () => {
    story.add([scene("cut", { holds: true, beats: [beat("knives"), beat("flips")] })]);
    story.goOn();
    assert.deepEqual(seen.slice(2), [`seek ${beatMs(beat("knives"), "usual")}`, "tell flips"]);
    story.goOn();
    assert.equal(seen.at(-1), "end cut");
    story.goOn();
    assert.equal(seen.at(-1), "end cut", "there is nothing more");
  });

  it("shows one's own move at once, whatever waits", () => {
    story.add([scene("topping")]);
    story.add([scene("another")]);
    story.add([scene("mine", { own: true })]);
    assert.deepEqual(seen, ["open topping", "open mine"]);
  });

  it("shows only the last of very many", () => {
    story.add([scene("now", { holds: true })]);
    for (let number = 0; number < MAX_QUEUED + 5; number++) story.add([scene(String(number))]);
    assert.equal(story.queue.length, MAX_QUEUED);
    story.goOn();
    assert.ok(seen.includes("begin 5"));
  });

  it("shows a screen without a story after what is being told", () => {
    const offer = /** @type {Screen} */ (/** @type {unknown} */ ("offer"));
    assert.equal(story.postpone(offer), false);
    story.add([scene("cut", { holds: true })]);
    assert.equal(story.postpone(offer), true);
    story.goOn();
    assert.equal(seen.at(-1), "end offer");
  });

  it("tells no more of what was dropped", () => {
    story.add([scene("cut", { holds: true })]);
    story.drop();
    mock.timers.tick(100_000);
    assert.deepEqual(seen, ["begin cut", "tell cut"]);
  });
});

describe("a hidden page", () => {
  it("waits to be seen", () => {
    setHidden(true);
    story.add([scene("topping")]);
    assert.deepEqual(seen, []);
    setHidden(false);
    assert.deepEqual(seen, ["open topping"]);
  });

  it("goes on where it was hidden", () => {
    story.add([scene("cut", { holds: true })]);
    setHidden(true);
    mock.timers.tick(100_000);
    assert.deepEqual(seen.slice(2), ["pause"]);
    setHidden(false);
    mock.timers.tick(beatMs(beat("cut"), "usual"));
    assert.deepEqual(seen.slice(3), ["resume", "end cut"]);
  });
});
