// The connection to the program: a socket that opens itself again, and requests with their answers.

const pauses = [250, 500, 1000, 2000, 4000, 8000];
const patience = 10_000;

/** What the program said when it would not do what it was asked. */
export class Refusal extends Error {
  constructor(message, code) {
    super(message);
    this.code = code;
  }
}

/**
 * A connection that lasts as long as the page.
 *
 * `onMessage` gets what is no answer. `onStatus` gets `{kind, failures, until}`, where kind is `connecting`,
 * `open` or `waiting`, and until is when it is tried again.
 */
export class Connection {
  #address;
  #onMessage;
  #onStatus;
  #socket = null;
  #timer = 0;
  #failures = 0;
  #lastRequest = 0;
  #waiting = new Map();

  constructor(address, { onMessage, onStatus }) {
    this.#address = address;
    this.#onMessage = onMessage;
    this.#onStatus = onStatus;
    addEventListener("online", () => this.tryNow());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.tryNow();
    });
  }

  /** Whether requests can be made. */
  isOpen = false;

  /** Opens the socket, now. */
  open() {
    clearTimeout(this.#timer);
    const socket = new WebSocket(this.#address);
    this.#socket = socket;
    this.#tell("connecting");
    this.#timer = setTimeout(() => socket.close(), patience);
    socket.addEventListener("message", (event) => {
      if (socket === this.#socket) this.#receive(event.data);
    });
    socket.addEventListener("close", () => {
      if (socket === this.#socket) this.#lose();
    });
  }

  /** Opens the socket if it waits to be opened. */
  tryNow() {
    if (this.#socket === null) this.open();
  }

  /**
   * Asks the program for something.
   *
   * The promise holds the answer; it is rejected with a `Refusal` when the program refuses, or when the
   * connection is lost first.
   */
  request(message) {
    if (!this.isOpen) return Promise.reject(new Refusal("There is no connection to the program.", "offline"));
    this.#lastRequest += 1;
    const request = this.#lastRequest;
    return new Promise((resolve, reject) => {
      this.#waiting.set(request, { resolve, reject });
      // While it closes nothing can be sent; what waits fails when it has closed.
      if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify({ ...message, request }));
    });
  }

  #receive(data) {
    let message;
    try {
      message = JSON.parse(data);
    } catch {
      // Nothing after this could be trusted to fit what is known.
      return this.#socket.close();
    }
    if (typeof message !== "object" || message === null) return;
    if (message.type === "welcome") {
      clearTimeout(this.#timer);
      this.#failures = 0;
      this.isOpen = true;
      this.#onMessage(message);
      return this.#tell("open");
    }
    const waiting = this.#waiting.get(message.request);
    if (!waiting) return this.#onMessage(message);
    this.#waiting.delete(message.request);
    if (message.type === "refused") waiting.reject(new Refusal(message.message, message.code));
    else waiting.resolve(message);
  }

  #lose() {
    clearTimeout(this.#timer);
    this.#socket = null;
    this.isOpen = false;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    const pause = pauses[Math.min(this.#failures, pauses.length - 1)];
    this.#failures += 1;
    this.#timer = setTimeout(() => this.open(), pause);
    this.#tell("waiting", Date.now() + pause);
    const refusal = new Refusal("The connection to the program was lost.", "offline");
    for (const { reject } of waiting) reject(refusal);
  }

  #tell(kind, until = null) {
    this.#onStatus({ kind, failures: this.#failures, until });
  }
}
