// The line to the house: a WebSocket that comes back by itself, and plain requests while it is away.

const PATIENCE = 6000; // milliseconds until an answer is asked for again
const ASK_AGAIN = 4000; // milliseconds between questions while the line is dead
const WATCH = 40000; // and while it seems alive: a sleeping laptop's line may be dead without anyone having said so

export class Live {
  constructor(table, state, { onScreen, onLine, unfolded }) {
    this.table = table;
    this.version = state.version;
    this.seat = Number(new URLSearchParams(location.search).get("as") ?? -1); // whose eyes were asked for
    this.onScreen = onScreen;
    this.onLine = onLine;
    this.unfolded = unfolded; // whether the position is read in words
    this.waiting = new Map();
    this.tries = 0;
    this.connect();
    addEventListener("online", () => this.reconnect());
    addEventListener("offline", () => this.onLine(false));
    setInterval(() => document.hidden || !this.open || this.watch(), WATCH);
    addEventListener("pageshow", (event) => event.persisted && this.reconnect());
    document.addEventListener("visibilitychange", () => document.hidden || (this.open ? this.watch() : this.reconnect()));
  }

  get open() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  connect() {
    clearTimeout(this.retry);
    const lang = document.documentElement.lang;
    const query = new URLSearchParams({ lang, version: this.version, seat: this.seat, unfolded: this.unfolded() });
    const address = new URL(`/live/${this.table}?${query}`, location);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(address);
    this.socket = socket;
    this.parts = [];
    this.moves = new Map();
    socket.onopen = () => {
      this.tries = 0;
      clearInterval(this.asking);
      this.asking = null;
      this.onLine(true);
    };
    socket.onmessage = (event) => this.hear(this.complete(JSON.parse(event.data)));
    socket.onclose = () => socket === this.socket && this.lose();
  }

  reconnect() {
    this.tries = 0;
    const old = this.socket;
    this.socket = null;
    old?.close();
    this.connect();
  }

  lose() {
    this.onLine(false);
    this.retry = setTimeout(() => this.connect(), Math.min(500 * 2 ** this.tries++, 10000));
    this.asking ??= setInterval(() => this.ask(), ASK_AGAIN);
  }

  async ask(known = this.version) {
    try {
      const reply = await fetch(`/t/${this.table}/screen?version=${known}&seat=${this.seat}`);
      if (reply.status === 200) this.hear(await reply.json());
      return reply.status === 200;
    } catch {
      return false; // the network is away: the next question will tell
    }
  }

  /** If there was something new, the line should have told it. */
  async watch() {
    if (await this.ask()) this.reconnect();
  }

  /** A whole screen from what came: of what the page has, only changes are sent, and moves it knows are only named. */
  complete(message) {
    if (!("version" in message)) return message; // an answer alone
    if ("html" in message) this.parts = message.html.split("\u001e");
    for (const [part, at, gone, text] of message.changes ?? [])
      this.parts[part] = this.parts[part].slice(0, at) + text + this.parts[part].slice(at + gone);
    for (const move of message.moves) if (typeof move !== "string") this.moves.set(move[0], move);
    const moves = message.moves.map((move) => (typeof move === "string" ? this.moves.get(move) : move));
    return { ...message, html: this.parts.join(""), moves };
  }

  hear(message) {
    if ("answer" in message) this.waiting.get(message.answer)?.(message);
    if (!("version" in message) || message.version < this.version) return; // or one answer overtook another
    this.version = message.version;
    this.onScreen(message);
  }

  /** What is folded away is not sent; once it is unfolded, it is. */
  unfold() {
    if (this.open) this.socket.send(JSON.stringify({ unfolded: this.unfolded() }));
    else if (this.unfolded()) this.ask(-1);
  }

  look(seat) {
    this.seat = seat;
    if (this.open) this.socket.send(JSON.stringify({ look: seat }));
    else location.search = `?as=${seat}`;
  }

  /** Ask for something to be done; the answer comes once it is stored. Sent twice, it counts once. */
  async send(message) {
    message = { version: this.version, ...message, id: crypto.getRandomValues(new Uint32Array(3)).join("-") };
    if (message.do === "move") this.seat = -1;
    const quick = this.open && message.do !== "sit" ? await this.bySocket(message) : null;
    return quick ?? this.byRequest(message);
  }

  bySocket(message) {
    return new Promise((resolve) => {
      const done = (answer) => {
        this.waiting.delete(message.id);
        clearTimeout(timer);
        resolve(answer);
      };
      const timer = setTimeout(done, PATIENCE, null);
      this.waiting.set(message.id, done);
      this.socket.send(JSON.stringify(message));
    });
  }

  async byRequest(message) {
    const headers = { "Content-Type": "application/json", "X-CSRFToken": document.querySelector("meta[name=csrf]").content };
    for (let wait = 500; ; wait = Math.min(wait * 2, 8000)) {
      try {
        const reply = await fetch(`/t/${this.table}/do`, { method: "POST", headers, body: JSON.stringify(message) });
        if (reply.status < 500) return this.settled(message, await reply.json().catch(() => ({ refused: "…" })));
      } catch {
        // the network is away: the same message again, until it gets through
      }
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }

  settled(message, answer) {
    if (message.do === "sit") {
      this.version = -1; // what came meanwhile was for somebody without a seat
      this.reconnect();
    } else if (!this.open) this.ask();
    return answer;
  }
}
