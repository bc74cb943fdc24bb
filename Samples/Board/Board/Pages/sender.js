// Sends the changes of the outbox to the server, one after the other.

import { name } from "./outbox.js";

// Milliseconds.
const PAUSE = 1000;
const LONGEST_PAUSE = 15000;
const PATIENCE = 60000;
// The statuses with which the board refuses a change.
const REFUSALS = [400, 404, 409, 413, 415];
// The statuses with which the board recognizes that a number was used for another change.
const USED_NUMBERS = [410, 422];

// Runs a function while no other page of this browser does, if the browser can ensure this. The server
// makes each change only once, so two pages that send the same change do no harm.
const exclusively = (work) => navigator.locks ? navigator.locks.request(name, work) : work();

// An answer that is neither the result nor the refusal of a change, for example from a proxy.
class UnexpectedAnswer extends Error {}

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

  // The handlers are changed(refusal) and failed(reason).
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
      this.#handlers.failed();
    } catch (error) {
      if (error instanceof UnexpectedAnswer) this.#handlers.failed(error.message);
      this.#timer = setTimeout(() => this.send(), this.#pause);
      this.#pause = Math.min(2 * this.#pause, LONGEST_PAUSE);
    } finally {
      this.#isSending = false;
    }
  }

  async #sendAll() {
    for (;;) {
      const { client, changes } = await this.#outbox.contents();
      const change = changes.find((one) => one.version === undefined);
      if (!change) return;
      await this.#sendOne(change, client);
    }
  }

  // Sends a change, and throws an error if the server has neither made nor refused it.
  async #sendOne(change, client) {
    const response = await fetch(...request(change, `${client}/${change.number}`));
    const answer = await response.json().catch(() => undefined);
    const isRefusal = response.headers.has("Board-Refusal");
    if (response.ok && Number.isInteger(answer?.version) && Number.isInteger(answer.item?.id)) {
      await this.#outbox.confirm(change, answer.version, answer.item.id);
      await this.#handlers.changed();
    } else if (isRefusal && USED_NUMBERS.includes(response.status)) {
      // The data of this browser was copied or restored, so the change needs a key that was never used.
      await this.#outbox.rename(client, change);
      await this.#handlers.changed();
    } else if (isRefusal && REFUSALS.includes(response.status)) {
      await this.#outbox.refuse(change, answer.error);
      await this.#handlers.changed(answer.error);
    } else {
      throw new UnexpectedAnswer(answer?.error ?? `Its status is ${response.status}.`);
    }
  }
}
