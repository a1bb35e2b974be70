// A small board with two pieces, and a picker on it, for the tests of the picker.

import assert from "node:assert/strict";

import { click, find, idsOf, render } from "./dom.js";
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
export const CELLS = [
  ["a1", ["cell-a1"], "<path class='ghost-a1'/>"],
  ["b1", ["cell-b1"], "<path class='ghost-b1'/>"],
];

/** Piece x can go to b1 or c1, piece y to c1 only. @type {WireMove[]} */
export const PIECES = [
  ["x-b1", ["piece-x", "cell-b1"], ""],
  ["x-c1", ["piece-x", "cell-c1"], ""],
  ["y-c1", ["piece-y", "cell-c1"], ""],
];

/**
 * Piece x on b1 in four of its eight ways, two of either side, and on c1 in one. Their order is not that of turning.
 * @type {WireMove[]}
 */
export const WAYS = ["b1-way-7", "b1-way-1", "b1-way-4", "b1-way-0", "c1-way-2"].map((place) => [
  `x-${place}`,
  ["piece-x", `cell-${place.slice(0, 2)}`, place.slice(3)],
  `<path class='ghost-${place.slice(3)}' data-box='100 0 90 190'/>`,
]);

/** Texts of the moves that were played. @type {string[]} */
export let played;
/** @type {Picker} */
export let picker;

/** @param {Partial<PickerOptions>} [options] */
export function makePicker(options = {}) {
  picker = new Picker(find("#board"), find("#bar"), {
    say: (name) => (name === "play" ? "Play {move}" : name),
    play: (move) => played.push(move),
    mustConfirm: () => false,
    fetchGhost: async () => "",
    fetchReason: async () => null,
    ...options,
  });
}

export const lit = () => idsOf("#board .lit");
export const buttons = () => [...document.querySelectorAll("#bar button")].map((button) => button.textContent);
export const ghost = () => document.querySelector("#ghost path")?.getAttribute("class") ?? null;

/** @param {string} label */
export function pressButton(label) {
  const button = [...document.querySelectorAll("#bar button")].find((each) => each.textContent === label);
  assert.ok(button, `no button ${label}`);
  click(button);
}

export function setUp() {
  played = [];
  render(BOARD);
  makePicker();
}
