// A page's connection to its table: a WebSocket that reconnects by itself, and plain requests while it is down.

import { csrfToken, delay } from "./page.js";
import { ReceivedScreen } from "./patch.js";

/** @import { WireMove } from "./selection.js" */
/** @import { ToldScene } from "./story.js" */

const ANSWER_TIMEOUT_MS = 6000; // then the command is sent again, by a request
const POLL_MS = 4000; // while the socket is closed
const CHECK_MS = 40000; // while it is open: after a laptop slept it may be dead without being closed
const RECONNECT_MS = { first: 500, most: 10000 };
const RESEND_MS = { first: 500, most: 8000 };
const NOBODY = -1; // no seat in particular
const NO_SUCH_TABLE = 4404; // close code
const NOT_FOUND = 404;

/**
 * What one seat sees of the table at one version.
 * @typedef {object} Screen
 * @property {number} version
 * @property {string} html
 * @property {WireMove[]} moves  legal moves of the seat
 * @property {string[]} stuck  ids of what fits nowhere now
 * @property {string[]} last  ids of the elements that others' last moves touched
 * @property {number} seat
 * @property {number} first  the earliest step the history goes back to
 * @property {number} steps  the latest, which is the present
 * @property {number} before  the step before the last move
 * @property {boolean} over
 * @property {number} events  how many there have been
 * @property {boolean} own  whether the last move was the visitor's own
 * @property {ToldScene[]} story  the last move, and before it what the page has missed
 */

/** @typedef {{ do: string, [field: string]: unknown }} Command */
/** @typedef {{ answer?: string, refused?: string, code?: string, go?: string, gone?: string }} Answer */

/**
 * @typedef {object} ConnectionHandlers
 * @property {(screen: Screen) => void} onScreen
 * @property {(up: boolean) => void} onStatus
 * @property {(why: string) => void} onGone  the table was deleted
 * @property {() => boolean} isUnfolded  whether the position in words is open; it is sent only then
 */

export class TableConnection {
  /**
   * @param {string} table
   * @param {{ version: number, events: number }} screen  that the page has
   * @param {ConnectionHandlers} handlers
   */
  constructor(table, { version, events }, { onScreen, onStatus, onGone, isUnfolded }) {
    this.table = table;
    this.version = version;
    this.events = events;
    this.seat = Number(new URLSearchParams(location.search).get("as") ?? NOBODY);
    this.onScreen = onScreen;
    this.onStatus = onStatus;
    this.onGone = onGone;
    this.isGone = false;
    this.isUnfolded = isUnfolded;
    /** @type {WebSocket | null} */
    this.socket = null;
    /** @type {Map<string, (answer: Answer) => void>} */
    this.pending = new Map();
    this.attempts = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.retryTimer = undefined;
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.pollTimer = undefined;
    this.connect();
    this.listen();
  }

  listen() {
    addEventListener("online", () => this.reconnect());
    addEventListener("offline", () => this.onStatus(false));
    addEventListener("pageshow", (event) => event.persisted && this.reconnect());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.isOpen ? this.check() : this.reconnect();
    });
    setInterval(() => {
      if (!document.hidden && this.isOpen) this.check();
    }, CHECK_MS);
  }

  get isOpen() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  connect() {
    clearTimeout(this.retryTimer);
    if (this.isGone) return;
    const socket = new WebSocket(this.address());
    const received = new ReceivedScreen();
    this.socket = socket;
    socket.onopen = () => this.onOpen();
    socket.onmessage = (event) => {
      const message = JSON.parse(event.data);
      this.onMessage("version" in message ? received.apply(message) : message);
    };
    socket.onclose = ({ code }) => socket === this.socket && (code === NO_SUCH_TABLE ? this.end("") : this.onClose());
  }

  address() {
    const query = new URLSearchParams({
      lang: document.documentElement.lang,
      version: String(this.version),
      events: String(this.events),
      seat: String(this.seat),
      unfolded: String(this.isUnfolded()),
    });
    const address = new URL(`/live/${this.table}?${query}`, location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    return address;
  }

  reconnect() {
    this.attempts = 0;
    const old = this.socket;
    this.socket = null;
    old?.close();
    this.connect();
  }

  onOpen() {
    this.attempts = 0;
    clearInterval(this.pollTimer);
    this.pollTimer = undefined;
    this.onStatus(true);
  }

  onClose() {
    this.onStatus(false);
    const wait = Math.min(RECONNECT_MS.first * 2 ** this.attempts++, RECONNECT_MS.most);
    this.retryTimer = setTimeout(() => this.connect(), wait);
    this.pollTimer ??= setInterval(() => this.poll(), POLL_MS);
  }

  /** The table was deleted: there is nothing to wait for. @param {string} why */
  end(why) {
    if (!this.isGone) this.onGone(why);
    this.isGone = true;
    clearTimeout(this.retryTimer);
    clearInterval(this.pollTimer);
  }

  /** @param {Answer & Partial<Screen>} message */
  onMessage(message) {
    if (message.gone !== undefined) this.end(message.gone);
    if (message.answer !== undefined) this.pending.get(message.answer)?.(message);
    if (message.version === undefined || message.version < this.version) return; // an older screen may arrive later
    this.version = message.version;
    this.events = message.events ?? this.events;
    this.onScreen(/** @type {Screen} */ (message));
  }

  /** Ask for a screen newer than this version; whether there was one. */
  async poll(version = this.version) {
    try {
      const query = `version=${version}&events=${this.events}&seat=${this.seat}`;
      const reply = await fetch(`/t/${this.table}/screen?${query}`);
      if (reply.status === 200) this.onMessage(await reply.json());
      if (reply.status === NOT_FOUND) this.end("");
      return reply.status === 200;
    } catch {
      return false; // offline: the next poll will tell
    }
  }

  /** If there is a newer screen, the socket should have sent it, so it is dead. */
  async check() {
    if (await this.poll()) this.reconnect();
  }

  /** The position in words was opened or closed. */
  onToggle() {
    if (this.isOpen) this.socket?.send(JSON.stringify({ unfolded: this.isUnfolded() }));
    else if (this.isUnfolded()) this.poll(-1);
  }

  /** Show the table as another seat of the same visitor sees it. @param {number} seat */
  viewAs(seat) {
    this.seat = seat;
    if (this.isOpen) this.socket?.send(JSON.stringify({ look: seat }));
    else location.search = `?as=${seat}`;
  }

  /**
   * Send a command; the answer comes once it is stored. Sent twice with the same id, it counts once.
   * @param {Command} command
   * @returns {Promise<Answer>}
   */
  async send(command) {
    const message = {
      version: this.version,
      ...command,
      id: crypto.getRandomValues(new Uint32Array(3)).join("-"),
    };
    if (message.do === "move") this.seat = NOBODY;
    const answer = this.isOpen && message.do !== "sit" ? await this.sendBySocket(message) : null;
    return answer ?? this.sendByRequest(message);
  }

  /**
   * @param {Command & { id: string }} message
   * @returns {Promise<Answer | null>}
   */
  sendBySocket(message) {
    return new Promise((resolve) => {
      const done = (/** @type {Answer | null} */ answer) => {
        this.pending.delete(message.id);
        clearTimeout(timer);
        resolve(answer);
      };
      const timer = setTimeout(done, ANSWER_TIMEOUT_MS, null);
      this.pending.set(message.id, done);
      this.socket?.send(JSON.stringify(message));
    });
  }

  /**
   * @param {Command} message
   * @returns {Promise<Answer>}
   */
  async sendByRequest(message) {
    const headers = { "Content-Type": "application/json", "X-CSRFToken": csrfToken() };
    const body = JSON.stringify(message);
    for (let wait = RESEND_MS.first; ; wait = Math.min(wait * 2, RESEND_MS.most)) {
      try {
        const reply = await fetch(`/t/${this.table}/do`, { method: "POST", headers, body });
        if (reply.status === NOT_FOUND) this.end("");
        if (reply.status < 500) {
          const answer = await reply.json().catch(() => ({ refused: "…" }));
          this.onRequestDone(message);
          return answer;
        }
      } catch {
        // offline: the same message again, until it gets through
      }
      await delay(wait);
    }
  }

  /** @param {Command} message */
  onRequestDone(message) {
    if (message.do === "sit") {
      this.version = -1; // screens received meanwhile were for a visitor without a seat
      this.reconnect();
    } else if (!this.isOpen) this.poll();
  }
}
