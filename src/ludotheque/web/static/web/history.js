// Steps back and forth through the positions of a match: buttons, a slider, links.

import { closest } from "./page.js";

export class MatchHistory {
  /**
   * @param {HTMLElement} root  holds the slider and the buttons
   * @param {{ onStep: (step: number) => void, onPresent: () => void }} handlers  show an earlier or the present position
   */
  constructor(root, { onStep, onPresent }) {
    this.root = root;
    this.onStep = onStep;
    this.onPresent = onPresent;
    this.first = 0;
    this.last = 0;
    /** @type {number | null} */
    this.step = null; // null: the present
    this.slider = /** @type {HTMLInputElement} */ (root.querySelector("input"));
    this.slider.addEventListener("input", () => this.goTo(Number(this.slider.value)));
    root.addEventListener("click", (event) => this.onClick(event));
  }

  /** Whether an earlier position is shown. */
  get isInPast() {
    return this.step !== null;
  }

  get current() {
    return this.step ?? this.last;
  }

  /**
   * @param {number} first
   * @param {number} last
   */
  setRange(first, last) {
    this.first = first;
    this.last = last;
    this.root.hidden = last <= first;
    this.slider.min = String(first);
    this.slider.max = String(last);
    this.slider.value = String(this.current);
  }

  /** Start at the step the server rendered: the last one if there is no such step. @param {number} step */
  startAt(step) {
    const shown = step >= 0 && step <= this.last ? step : this.last; // the address may say anything
    this.step = shown === this.last ? null : shown;
    this.slider.value = String(shown);
  }

  /** @param {number} step */
  goTo(step) {
    const wanted = Number.isNaN(step) ? this.last : Math.max(this.first, Math.min(step, this.last));
    this.step = wanted === this.last ? null : wanted;
    this.slider.value = String(wanted);
    if (this.isInPast) this.onStep(wanted);
    else this.onPresent();
  }

  /** @param {Event} event */
  onClick(event) {
    const step = closest(event, "[data-step]")?.dataset.step;
    if (step === "first") this.goTo(this.first);
    else if (step === "back") this.goTo(this.current - 1);
    else if (step === "on") this.goTo(this.current + 1);
    else if (step === "last") this.goTo(this.last);
  }
}
