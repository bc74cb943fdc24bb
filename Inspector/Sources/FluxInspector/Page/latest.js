// Asking for what is shown, when what is shown changes faster than answers come.

/**
 * One request at a time, for the latest thing wanted.
 *
 * `want(subject, revision, ask, show)`: an answer of an older revision of the same subject is shown when it
 * comes, and the newer one asked for after a pause; an answer about another subject is dropped.
 */
export class Latest {
  #pause;
  #wanted = null;
  #isBusy = false;

  constructor(pause) {
    this.#pause = pause;
  }

  want(subject, revision, ask, show) {
    if (this.#wanted?.subject === subject && this.#wanted.revision === revision) return;
    this.#wanted = { subject, revision, ask, show };
    if (!this.#isBusy) this.#go();
  }

  /** Has the next thing wanted asked for even if it was asked for before. */
  forget() {
    this.#wanted = null;
  }

  async #go() {
    this.#isBusy = true;
    const asked = this.#wanted;
    let outcome;
    try {
      outcome = { answer: await asked.ask() };
    } catch (refusal) {
      outcome = { refusal };
    }
    if (this.#wanted?.subject === asked.subject) asked.show(outcome);
    const isRepeated = this.#wanted?.subject === asked.subject && this.#wanted !== asked;
    if (isRepeated) await new Promise((resolve) => setTimeout(resolve, this.#pause));
    this.#isBusy = false;
    if (this.#wanted && this.#wanted !== asked) this.#go();
  }
}
