// The solver's clock: it runs while the page is visible, can be paused, and can be hidden.

const REFRESH_MS = 500;

/**
 * @typedef {object} ClockHandlers
 * @property {(seconds: number) => void} onStop  called when it stops, so that the time can be stored
 * @property {(paused: boolean) => void} onPause  called when the solver pauses or resumes it
 */

export class Clock {
  /**
   * @param {HTMLElement} face  shows the time
   * @param {ClockHandlers} handlers
   */
  constructor(face, { onStop, onPause }) {
    this.face = face;
    this.onStop = onStop;
    this.onPause = onPause;
    this.elapsed = 0; // seconds until it was last started
    /** @type {number | null} */
    this.startedAt = null;
    this.enabled = false;
    this.paused = false;
    setInterval(() => this.show(), REFRESH_MS);
    document.addEventListener("visibilitychange", () => this.update());
    addEventListener("pagehide", () => this.update(false));
  }

  get seconds() {
    return this.elapsed + (this.startedAt === null ? 0 : (performance.now() - this.startedAt) / 1000);
  }

  /**
   * Take over the server's time. While the clock runs, it never goes backwards.
   * @param {number} seconds
   * @param {boolean} enabled
   */
  set(seconds, enabled) {
    this.elapsed = enabled && this.enabled ? Math.max(seconds, this.seconds) : seconds;
    this.startedAt = null;
    this.enabled = enabled;
    this.update();
  }

  togglePause() {
    this.paused = !this.paused;
    this.onPause(this.paused);
    this.update();
  }

  /** Start or stop, as the state demands. */
  update(visible = !document.hidden) {
    const runs = this.enabled && !this.paused && visible;
    if (runs && this.startedAt === null) this.startedAt = performance.now();
    else if (!runs && this.startedAt !== null) {
      this.elapsed = this.seconds;
      this.startedAt = null;
      if (this.enabled) this.onStop(this.elapsed);
    }
    this.show();
  }

  show() {
    const text = formatTime(Math.floor(this.seconds));
    if (this.face.textContent !== text) this.face.textContent = text;
  }
}

/** As 1:02:03 or 2:03. @param {number} seconds */
export function formatTime(seconds) {
  const twoDigits = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  return `${hours ? `${hours}:${twoDigits(minutes % 60)}` : minutes}:${twoDigits(seconds % 60)}`;
}
