// Sends the changes of the outbox to the server, one after the other.

// Milliseconds.
const PAUSE = 1000;
const LONGEST_PAUSE = 15000;
const PATIENCE = 60000;

// Runs a function while no other page of this browser does, if the browser can ensure this. The server
// makes each change only once, so two pages that send the same change do no harm.
const exclusively = (work) => navigator.locks ? navigator.locks.request("board", work) : work();

function request({ kind, id, text, done, place }, key) {
  const [method, path, body] = {
    add: ["POST", "items", { text }],
    edit: ["PATCH", `items/${id}`, { text, done, place }],
    remove: ["DELETE", `items/${id}`],
  }[kind];
  const headers = { "Idempotency-Key": `"${key}"` };
  if (body) headers["Content-Type"] = "application/json";
  return [path, { method, headers, body: body && JSON.stringify(body), signal: AbortSignal.timeout(PATIENCE) }];
}

export class Sender {
  #outbox;
  #handlers;
  #isSending = false;
  #hasMore = false;
  #timer;
  #pause = PAUSE;

  // The handlers are idOf(id), confirm(change, version, id), refuse(reason), and changed().
  constructor(outbox, handlers) {
    this.#outbox = outbox;
    this.#handlers = handlers;
  }

  // Sends all changes. If the server cannot be reached, the sender tries again later.
  async send() {
    this.#hasMore = true;
    if (this.#isSending) return;
    this.#isSending = true;
    clearTimeout(this.#timer);
    try {
      while (this.#hasMore) {
        this.#hasMore = false;
        await exclusively(() => this.#sendAll());
      }
      this.#pause = PAUSE;
    } catch {
      this.#timer = setTimeout(() => this.send(), this.#pause);
      this.#pause = Math.min(2 * this.#pause, LONGEST_PAUSE);
    } finally {
      this.#isSending = false;
    }
  }

  async #sendAll() {
    for (;;) {
      const [change] = await this.#outbox.changes();
      if (!change) return;
      await this.#sendOne(change);
    }
  }

  // Sends a change, and throws an error if the server has neither made nor refused it.
  async #sendOne(change) {
    const sent = { ...change, id: this.#handlers.idOf(change.id) };
    const response = await fetch(...request(sent, `${this.#outbox.client}/${change.number}`));
    if (response.status >= 500) throw new Error(`status ${response.status}`);
    const answer = await response.json();
    if (response.ok) {
      this.#handlers.confirm(change, answer.version, answer.item?.id);
      await this.#outbox.confirm(change, answer.version, answer.item?.id);
    } else {
      this.#handlers.refuse(answer.error);
      await this.#outbox.drop(change);
    }
    await this.#handlers.changed();
  }
}
