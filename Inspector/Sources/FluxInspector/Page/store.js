// What the page knows of one store, and how the person looks at it.

import { Filter } from "./filter.js";
import { Log } from "./log.js";
import { PathScan } from "./scan.js";

/** One store: its log, and what is selected, filtered and opened in it. */
export class Store {
  log = new Log();
  filter = new Filter();
  /** The entry that was selected; `null` means the current one, whichever that is. */
  selection = null;
  /** What the page has been told that actions changed, by entry. */
  changes = new Map();
  /** The parts of trees that the person opened, by kind of tree. */
  open = { state: new Set([""]), action: new Set([""]) };
  /** The first entry that the table of queries shows. */
  firstQuery = 0;
  /** Grows when states have been computed again, so that what is known of them may be wrong. */
  recomputed = 0;
  isWatched = false;
  isGone = false;

  constructor(description, request) {
    this.id = description.id;
    this.describe(description);
    this.request = (message) => request({ ...message, store: this.id });
    this.scan = new PathScan(this);
  }

  describe({ name, actions, canExport, report }) {
    /** How the program ended whose crash report this is; `null` for a store that runs. */
    this.report = report ?? null;
    this.name = name;
    this.actions = actions;
    this.canExport = canExport;
    this.isGone = false;
  }

  /** Takes a message about the log in. */
  take(message) {
    if (this.log.take(message)) {
      this.changes.clear();
      this.recomputed += 1;
      this.scan.forget();
    }
    const { selection } = this;
    if (!selection || this.log.entry(selection)) return;
    const isCutOff = message.keepThrough != null && selection > message.keepThrough;
    // When a log is told anew it comes in parts, and the selected entry perhaps in a later one.
    if (isCutOff || selection <= this.log.last || this.log.entries.length === 0) this.selection = null;
  }

  /** The entry that is looked at: the selected one, or else the current one. */
  get shown() {
    return this.selection === 0 || this.log.entry(this.selection) ? this.selection : this.log.current;
  }

  /** The entries that the filters let through; the base stands before them all when there is no filter. */
  visible() {
    const { entries } = this.log;
    if (!this.filter.isOn) return [base, ...entries];
    const found = entries.filter((entry) => this.filter.matches(entry));
    return this.filter.path === "" ? found : found.filter((entry) => this.scan.hasChanged(entry));
  }

  /** Asks what an action changed, or remembers it. */
  async changesOf(id) {
    const known = this.changes.get(id);
    // While nothing is recorded, what is done belongs to the current entry.
    const isGrowing = this.log.isPaused && id === this.log.current;
    if (known && !isGrowing) return known;
    const answer = await this.request({ type: "changes", entry: id });
    if (this.changes.size >= 200) this.changes.delete(this.changes.keys().next().value);
    this.changes.set(id, answer);
    return answer;
  }
}

/** What stands in the log for the state before the first entry. */
export const base = {
  id: 0, name: "Base", text: "the state before the first action", time: null, duration: null, origin: null,
};
