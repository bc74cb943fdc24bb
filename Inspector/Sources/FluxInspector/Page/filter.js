// Which actions of a log are shown. Nothing here touches the page.

/** The search and the filters of one store. */
export class Filter {
  #terms = [];
  #without = [];
  #text = "";
  #path = "";
  #verdicts = new WeakMap();
  /** Names that are not shown. */
  hidden = new Set();
  /** The one name that is shown, if only one is. */
  only = null;
  /** Grows with every change. */
  revision = 0;

  get text() { return this.#text; }

  /** Words that all have to be there; one with a minus in front must not be. */
  set text(text) {
    this.#text = text;
    const words = text.toLowerCase().split(/\s+/).filter((word) => word !== "" && word !== "-");
    this.#terms = words.filter((word) => !word.startsWith("-"));
    this.#without = words.filter((word) => word.startsWith("-")).map((word) => word.slice(1));
    this.forget();
  }

  get terms() { return this.#terms; }

  get path() { return this.#path; }

  /** The path that a shown action has changed. */
  set path(path) {
    this.#path = path.trim();
    this.revision += 1;
  }

  get isOn() {
    return this.#text.trim() !== "" || this.#path !== "" || this.hidden.size > 0 || this.only !== null;
  }

  show(name, isShown) {
    if (isShown) this.hidden.delete(name);
    else this.hidden.add(name);
    this.only = null;
    this.forget();
  }

  showOnly(name) {
    this.only = name;
    this.hidden.clear();
    this.forget();
  }

  clear() {
    this.hidden.clear();
    this.only = null;
    this.path = "";
    this.text = "";
  }

  /** Has every entry looked at again. */
  forget() {
    this.#verdicts = new WeakMap();
    this.revision += 1;
  }

  /** Whether an action of this name is shown. */
  shows(name) {
    return this.only === null ? !this.hidden.has(name) : this.only === name;
  }

  /** Whether an entry is shown, whatever it changed. */
  matches(entry) {
    const known = this.#verdicts.get(entry);
    if (known !== undefined) return known;
    const verdict = this.shows(entry.name) && this.#matchesText(entry);
    this.#verdicts.set(entry, verdict);
    return verdict;
  }

  #matchesText(entry) {
    if (this.#terms.length + this.#without.length === 0) return true;
    const text = `${entry.name}\n${entry.text}\n${entry.origin ?? ""}`.toLowerCase();
    if (this.#without.some((word) => text.includes(word))) return false;
    return this.#terms.every((term) => text.includes(term));
  }
}
