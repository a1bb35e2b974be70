// Stepping back through the match, while it goes on or when it is over.

export class Steps {
  /** `show(step)` draws an earlier position, `now()` comes back to the present. */
  constructor(root, { show, now }) {
    Object.assign(this, { root, show, now, last: 0, first: 0, step: null });
    this.slider = root.querySelector("input");
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    root.addEventListener("click", (event) => {
      const step = event.target.closest("[data-step]")?.dataset.step;
      const here = this.step ?? this.last;
      if (step) this.go({ first: this.first, back: here - 1, on: here + 1, last: this.last }[step]);
    });
  }

  get looking() {
    return this.step !== null;
  }

  set(first, last) {
    const moved = this.last !== last;
    Object.assign(this, { first, last });
    this.root.hidden = last <= first;
    this.slider.min = first;
    this.slider.max = last;
    if (!this.looking || moved) this.slider.value = this.step ?? last;
  }

  go(step) {
    const wanted = Math.max(this.first, Math.min(step, this.last));
    this.step = wanted === this.last ? null : wanted;
    this.slider.value = wanted;
    if (this.looking) this.show(wanted);
    else this.now();
  }
}
