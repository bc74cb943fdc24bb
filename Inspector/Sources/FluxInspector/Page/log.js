// What is known of a store's log. Nothing here touches the page.

const told = ["current", "position", "isPaused", "isLocked", "canUndo", "canRedo", "refused",
  "branches", "evicted", "hasQueries"];

/** The entries of a store's history in the order of their ids, and where the history stands. */
export class Log {
  entries = [];
  /** The entry that the state stands behind; 0 is the base. */
  current = 0;
  /** How many entries are done: the position of the current one. */
  position = 0;
  isPaused = false;
  isLocked = false;
  canUndo = false;
  canRedo = false;
  /** How many actions a locked history has refused. */
  refused = 0;
  /** The branches that jumps into the past have left, each with its `fork`, `first`, `last`, and `count`. */
  branches = [];
  /** How many entries the history removed to hold its bounds. */
  evicted = 0;
  /** Whether the store has a query cache. */
  hasQueries = false;
  /** Whether anything has been told yet. */
  isKnown = false;
  /** Grows with every message. */
  revision = 0;

  /**
   * Takes a `log` message in.
   *
   * Tells whether what was known of the states behind entries may be wrong now.
   */
  take(message) {
    let isRecomputed = message.isWhole;
    if (message.isWhole) this.entries = [];
    else {
      if (message.keepThrough != null) isRecomputed = this.#forgetAfter(message.keepThrough) || isRecomputed;
      this.#forgetBefore(message.first);
    }
    for (const entry of message.entries) isRecomputed = this.#put(entry) || isRecomputed;
    for (const name of told) this[name] = message[name];
    this.isKnown = true;
    this.revision += 1;
    return isRecomputed;
  }

  /** Takes in the origins of entries that were told without them. */
  takeOrigins(origins) {
    for (const { id, origin } of origins) {
      const index = this.indexFrom(id);
      // Another entry, since what is known of one is known by what it is.
      if (this.entries[index]?.id === id) this.entries[index] = { ...this.entries[index], origin };
    }
    this.revision += 1;
  }

  /** The entry of an id, if it is there. */
  entry(id) {
    const index = this.indexFrom(id);
    return this.entries[index]?.id === id ? this.entries[index] : undefined;
  }

  /** Where an entry of this id stands, or would. */
  indexFrom(id) {
    return firstIndex(this.entries, id);
  }

  /** The id at a position: that of the base is 0, and 1 the position of the oldest entry. */
  id(position) {
    return position === 0 ? 0 : this.entries[position - 1]?.id;
  }

  /** Whether an entry is undone. */
  isUndone(entry) {
    return entry.id > this.current;
  }

  get last() {
    return this.entries.at(-1)?.id ?? 0;
  }

  #forgetBefore(id) {
    const count = this.indexFrom(id);
    if (count > 0) this.entries.splice(0, count);
  }

  #forgetAfter(id) {
    const count = this.indexFrom(id + 1);
    if (count === this.entries.length) return false;
    this.entries.length = count;
    return true;
  }

  #put(entry) {
    if (entry.id > this.last) {
      this.entries.push(entry);
      return false;
    }
    const index = this.indexFrom(entry.id);
    this.entries.splice(index, this.entries[index]?.id === entry.id ? 1 : 0, entry);
    return true;
  }
}

/** The index of the first entry whose id is not below this one: O(log n). */
export function firstIndex(entries, id) {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (entries[middle].id < id) low = middle + 1;
    else high = middle;
  }
  return low;
}
