// The solver's clock: it runs while the page is looked at, can be stopped, and can be hidden.

export class Clock {
  /** `onPause(seconds)` hears when it stands still, so that the time can be written down. */
  constructor(face, { onPause, onCover }) {
    Object.assign(this, { face, onPause, onCover, spent: 0, since: null, wanted: false, stopped: false });
    setInterval(() => this.show(), 500);
    document.addEventListener("visibilitychange", () => this.go());
    addEventListener("pagehide", () => this.go(false));
  }

  get seconds() {
    return this.spent + (this.since === null ? 0 : (performance.now() - this.since) / 1000);
  }

  /** What the house knows: it never goes back behind what is shown, unless it stands still for good. */
  set(seconds, running) {
    const here = this.seconds;
    this.spent = running && this.wanted ? Math.max(seconds, here) : seconds;
    this.since = null;
    this.wanted = running;
    this.go();
  }

  /** Stopped by hand, until started by hand. */
  toggle() {
    this.stopped = !this.stopped;
    this.onCover(this.stopped);
    this.go();
  }

  go(visible = !document.hidden) {
    const runs = this.wanted && !this.stopped && visible;
    if (runs && this.since === null) this.since = performance.now();
    else if (!runs && this.since !== null) {
      this.spent = this.seconds;
      this.since = null;
      if (this.wanted) this.onPause(this.spent);
    }
    this.show();
  }

  show() {
    const all = Math.floor(this.seconds);
    const two = (number) => String(number).padStart(2, "0");
    const hours = Math.floor(all / 3600);
    const text = `${hours ? `${hours}:${two(Math.floor(all / 60) % 60)}` : Math.floor(all / 60)}:${two(all % 60)}`;
    if (this.face.textContent !== text) this.face.textContent = text;
  }
}
