// A tree of values, of which branches open and close, and what was cut off is asked for when it is opened.

import { List } from "./list.js";
import { kind, outline, preview } from "./node.js";
import { labels, written } from "./path.js";
import { button, copy, icon, line, lines, make, setText } from "./text.js";

const parting = "\u0000";

/** The name of a place in a tree, for maps and sets; that of the root is empty. */
export function key(path) {
  return path.join(parting);
}

/** A tree with a keyboard cursor, and a pane below for the value that the cursor is on. */
export class Tree {
  #root = null;
  #open = new Set();
  #changes = [];
  #marks = new Map();
  #load = null;
  #tools;
  #cursor = "";
  #sought = null;
  #rows = [];
  #loading = new Map();
  #valueShown = null;
  #element;
  #list;
  #value = make("div", "value-pane");
  #prefix;

  /** `tools(row)` makes further buttons for the value of a row. */
  constructor(container, { label, tools = () => [], prefix }) {
    this.#tools = tools;
    this.#prefix = prefix;
    this.#element = make("div", "rows tree");
    this.#element.setAttribute("role", "tree");
    this.#element.setAttribute("aria-label", label);
    this.#element.tabIndex = 0;
    container.append(this.#element, this.#value);
    this.#list = new List(this.#element, { makeRow, fillRow: (row, item) => this.#fill(row, item) });
    this.#element.addEventListener("click", (event) => this.#click(event));
    this.#element.addEventListener("keydown", (event) => this.#press(event));
    this.#element.addEventListener("focus", () => this.#list.renderSoon());
    this.#element.addEventListener("blur", () => this.#list.renderSoon());
  }

  /**
   * Shows a tree.
   *
   * `open` holds the branches that are open, and is changed as the person opens and closes some; `load(path)`
   * gets a branch that was cut; `changes` are those that are marked.
   */
  show(root, { open, load = null, changes = [] }) {
    this.#root = root;
    this.#open = open;
    this.#load = load;
    this.#changes = changes;
    this.#loading = new Map();
    this.#update();
  }

  /** What is shown. */
  get root() {
    return this.#root;
  }

  /** Opens all that stands above a path like `movies[27]`, and puts the cursor there when it has come. */
  reveal(place) {
    const path = labels(this.#root, place);
    for (let length = 0; length < path.length; length += 1) this.#open.add(key(path.slice(0, length)));
    this.#sought = key(path);
    this.#update();
  }

  #update() {
    this.#marks = marksOf(this.#root, this.#changes);
    this.#rows = [];
    this.#flatten(this.#root, [], 1, 1);
    const index = this.#rows.findIndex((row) => row.key === this.#sought);
    if (index >= 0) this.#cursor = this.#sought;
    else if (!this.#rows.some((row) => row.key === this.#cursor)) this.#cursor = this.#rows[0].key;
    this.#list.setItems(this.#rows, {
      keyOf: (row) => row.key,
      find: (sought) => this.#rows.findIndex((row) => row.key === sought),
    });
    if (index >= 0) {
      this.#sought = null;
      this.#list.reveal(index);
    }
    this.#showValue();
  }

  #flatten(node, path, place, count) {
    const own = key(path);
    const canOpen = node.children?.length > 0 || Boolean(node.isCut);
    const isOpen = canOpen && this.#open.has(own);
    const row = { kind: "node", key: own, node, path, level: path.length + 1, place, count, canOpen, isOpen };
    this.#rows.push(row);
    if (!isOpen) return;
    const children = node.children ?? [];
    children.forEach((child, index) => {
      this.#flatten(child, [...path, child.label], index + 1, children.length);
    });
    if (!node.isCut) return;
    const state = this.#loading.get(own);
    if (children.length === 0 && state === undefined && this.#load) this.#loadBranch(row);
    this.#rows.push({
      kind: "more", key: `${own}${parting}${parting}`, node, path, level: path.length + 2, place: 1, count: 1,
      state: this.#loading.get(own) ?? (this.#load ? "ready" : "no more"),
    });
  }

  async #loadBranch({ node, path, key: own }) {
    const root = this.#root;
    const before = node.children?.length ?? 0;
    this.#loading.set(own, "loading");
    let state = null;
    try {
      const tree = await this.#load(path);
      if (root !== this.#root) return;
      node.children = tree.children ?? [];
      node.isCut = tree.isCut;
      if (node.isCut && node.children.length <= before) state = "no more";
    } catch (refusal) {
      if (root !== this.#root) return;
      state = refusal.message;
    }
    if (state === null) this.#loading.delete(own);
    else this.#loading.set(own, state);
    this.#update();
  }

  #toggle(row) {
    if (row.kind === "more") {
      if (row.state === "loading" || !this.#load) return;
      this.#loadBranch({ ...row, key: key(row.path) });
    } else if (row.canOpen) {
      if (row.isOpen) this.#open.delete(row.key);
      else this.#open.add(row.key);
    }
    this.#update();
  }

  #click(event) {
    const element = event.target.closest(".tree-row");
    const row = element && this.#rows[element.index];
    if (!row) return;
    this.#cursor = row.key;
    const isSwitch = event.target.closest(".tree-switch") || row.kind === "more";
    if (isSwitch || !row.isOpen) this.#toggle(row);
    else this.#update();
  }

  #press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const index = this.#rows.findIndex((row) => row.key === this.#cursor);
    const row = this.#rows[index];
    const last = this.#rows.length - 1;
    const page = this.#list.pageSize;
    const parent = () => this.#rows.findLastIndex((other, place) => place < index && other.level < row.level);
    const steps = {
      ArrowDown: () => this.#go(index + 1), j: () => this.#go(index + 1),
      ArrowUp: () => this.#go(index - 1), k: () => this.#go(index - 1),
      PageDown: () => this.#go(Math.min(last, index + page)),
      PageUp: () => this.#go(Math.max(0, index - page)),
      Home: () => this.#go(0), End: () => this.#go(last),
      Enter: () => this.#toggle(row), " ": () => this.#toggle(row),
      ArrowRight: () => (row.canOpen && !row.isOpen ? this.#toggle(row) : this.#go(index + 1)),
      ArrowLeft: () => (row.isOpen ? this.#toggle(row) : this.#go(Math.max(0, parent()))),
    };
    const step = row && steps[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    step();
  }

  #go(index) {
    const row = this.#rows[index];
    if (!row) return;
    this.#cursor = row.key;
    this.#showValue();
    this.#list.reveal(index);
  }

  #fill(element, row) {
    const { parts } = element;
    const isCursor = row.key === this.#cursor;
    element.id = `${this.#prefix}-${element.index}`;
    element.style.setProperty("--level", row.level);
    element.setAttribute("aria-level", row.level);
    element.setAttribute("aria-posinset", row.place);
    element.setAttribute("aria-setsize", row.count);
    element.setAttribute("aria-selected", isCursor);
    if (isCursor) this.#element.setAttribute("aria-activedescendant", element.id);
    if (row.canOpen) element.setAttribute("aria-expanded", row.isOpen);
    else element.removeAttribute("aria-expanded");
    if (row.kind === "more") return fillMore(element, row);
    const { node } = row;
    const mark = this.#marks.get(row.key);
    element.dataset.mark = mark ? mark.kind : "";
    element.dataset.kind = kind(node);
    setText(parts.label, line(node.label, 200));
    const summary = node.summary || (row.isOpen ? "" : preview(node));
    setText(parts.value, node.isRedacted ? "redacted" : line(node.value ?? summary, 300));
    setText(parts.type, line(node.type, 120));
    setText(parts.mark, markText(mark));
  }

  #showValue() {
    const row = this.#rows.find((other) => other.key === this.#cursor);
    if (!row || row.kind === "more") {
      this.#valueShown = null;
      return this.#value.replaceChildren();
    }
    const { node, path } = row;
    const known = this.#valueShown;
    if (known?.node === node && known.key === row.key) return;
    this.#valueShown = { node, key: row.key };
    const text = node.value ?? outline(node);
    const shown = node.isRedacted ? "This field is redacted: its value has not left the program."
      : lines(node.value ?? (node.summary || preview(node)), 4000);
    const head = make("div", "value-head",
      make("span", "value-path", line(written(path) || node.label, 300)),
      make("span", "value-type", line(node.type, 200)));
    const buttons = make("div", "value-tools",
      ...(node.isRedacted ? [] : [button("Copy", { symbol: "copy", hint: "Copy this value as text",
        run: () => this.onCopy(text) })]),
      ...this.#tools(row));
    const value = make("pre", `value ${kind(node)}`, shown);
    this.#value.replaceChildren(make("div", "value-top", head, buttons), value);
  }

  /** Copies text; whoever owns the tree says how it went. */
  onCopy = copy;
}

function makeRow() {
  const row = make("div", "tree-row");
  row.setAttribute("role", "treeitem");
  row.parts = {};
  const opener = make("span", "tree-switch", icon("chevron"));
  row.append(opener);
  for (const name of ["label", "value", "mark", "type"]) {
    row.parts[name] = make("span", `tree-${name}`);
    row.append(row.parts[name]);
  }
  return row;
}

function fillMore(element, row) {
  const { parts } = element;
  const known = row.node.children?.length ?? 0;
  const texts = {
    ready: known > 0 ? `more than these ${known}: show` : "show",
    loading: "loading…",
    "no more": `more${known > 0 ? ` than these ${known}` : ""}, which the program does not send`,
  };
  element.dataset.kind = "more";
  element.dataset.mark = "";
  setText(parts.label, "");
  setText(parts.value, texts[row.state] ?? line(row.state));
  setText(parts.type, "");
  setText(parts.mark, "");
}

/** What changed where: the places themselves, and `within` for all that stands above them. */
function marksOf(root, changes) {
  const marks = new Map();
  for (const change of changes) {
    const way = labels(root, change.path);
    for (let length = 0; length < way.length; length += 1) {
      const above = key(way.slice(0, length));
      if (!marks.has(above)) marks.set(above, { kind: "within" });
    }
    if (change.kind !== "removed") marks.set(key(way), change);
  }
  return marks;
}

function markText(mark) {
  switch (mark?.kind) {
    case "changed": return mark.before == null ? "changed" : `was ${line(mark.before, 40)}`;
    case "inserted": return "new";
    case "moved": return "moved";
    default: return "";
  }
}
