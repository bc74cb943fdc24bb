// Which actions changed a path. Only the program knows, so that it is asked, some actions at a time.

const atOnce = 20;

/** What is known of which actions of a store changed the path of its filter. */
export class PathScan {
  #store;
  #path = "";
  #looked = new Set();
  #found = new Set();
  #isAsking = false;
  #generation = 0;
  #queue = [];
  #queueState = "";
  /** Told when more is known. */
  onFound = () => {};

  constructor(store) {
    this.#store = store;
  }

  /** Drops what is known, since states have been computed again. */
  forget() {
    this.#looked.clear();
    this.#found.clear();
    this.#generation += 1;
  }

  /** Whether an action is known to have changed the path of the filter. */
  hasChanged(entry) {
    this.#turn();
    return this.#found.has(entry.id);
  }

  /** How many actions have not been searched yet. */
  get missing() {
    return this.#store.filter.path === "" ? 0 : this.#list().length;
  }

  /** Asks on, the newest action first, as long as there is a path to look for. */
  go() {
    if (this.#store.filter.path === "" || this.#isAsking) return;
    const from = this.#list().at(-1);
    if (from !== undefined) this.#ask(from);
  }

  /** Begins anew for another path. */
  #turn() {
    const { path } = this.#store.filter;
    if (path === this.#path) return;
    this.#path = path;
    this.forget();
  }

  /** The entries to ask about, found again when there are others, or something else is known or looked for. */
  #list() {
    this.#turn();
    const { log, filter } = this.#store;
    const state = `${log.revision}/${filter.revision}/${this.#generation}`;
    if (this.#queueState !== state) {
      this.#queueState = state;
      this.#queue = log.entries.filter((entry) => !this.#looked.has(entry.id) && filter.matches(entry))
        .map((entry) => entry.id);
    }
    return this.#queue;
  }

  /** How many entries from one downwards have not been looked at, as far as it matters. */
  #run(from) {
    const { log } = this.#store;
    let index = log.indexFrom(from);
    let count = 0;
    for (; count < atOnce && index >= 0 && !this.#looked.has(log.entries[index].id); index -= 1) count += 1;
    return count;
  }

  async #ask(from) {
    const generation = this.#generation;
    this.#isAsking = true;
    try {
      const answer = await this.#store.request({
        type: "find", path: this.#path, from, limit: this.#run(from) });
      if (generation === this.#generation) this.#take(answer, from);
    } catch (refusal) {
      // A lost connection is asked again when there is another.
      if (refusal.code === "offline") return;
      // What the program will not tell is no reason to ask again.
      for (const id of this.#list()) this.#looked.add(id);
      this.#queueState = "";
    } finally {
      this.#isAsking = false;
    }
    this.onFound();
  }

  #take({ entries, through }, from) {
    const { log } = this.#store;
    for (let index = log.indexFrom(through); log.entries[index]?.id <= from; index += 1) {
      this.#looked.add(log.entries[index].id);
    }
    for (const id of entries) this.#found.add(id);
    // Newer ones may have come meanwhile, behind those that are done with.
    if (this.#queue.at(-1) > from) this.#queueState = "";
    while (this.#queue.at(-1) >= through) this.#queue.pop();
  }
}
