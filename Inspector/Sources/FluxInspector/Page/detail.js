// What there is to know of the selected action: what it changed, the state behind it and the queries in that
// state, and the action itself.

import { changesText, showChanges } from "./changes.js";
import { jsonElement, pretty } from "./json.js";
import { Latest } from "./latest.js";
import { outline } from "./node.js";
import { written } from "./path.js";
import { QueryTable } from "./queries.js";
import { base } from "./store.js";
import { Tree } from "./tree.js";
import { button, clock, line, make, setText, took } from "./text.js";

const $ = (id) => document.getElementById(id);
/** While the log grows, what follows it is asked for so often, in milliseconds. */
const pause = 200;
/** Subscribers come and go without actions: the table of queries is asked for so often, in milliseconds. */
const beat = 1000;

/** The pane of the selected action, with its tabs. */
export class Detail {
  #inspector;
  /** The tab that was chosen, and the one that is shown: not every store has all tabs. */
  #chosen = "changes";
  #tab = "changes";
  #beats = 0;
  #latest = new Latest(pause);
  #panes = {};
  #trees = {};
  #queries;
  #sought = null;
  #isJSON = false;
  #copyable = null;
  #action = null;
  #tools;
  /** What each tab shows: its entry, and the answer. */
  #shown = {};

  constructor(inspector) {
    this.#inspector = inspector;
    this.#tools = this.#makeTools();
    for (const tab of ["changes", "state", "action", "queries"]) {
      this.#panes[tab] = make("div", `pane pane-${tab}`);
      this.#panes[tab].hidden = true;
      $("panel").append(this.#panes[tab]);
    }
    const filter = (row) => (row.path.length === 0 ? [] : [button("Only this path", {
      symbol: "filter", hint: "Show only actions that changed this path",
      run: () => inspector.showPath(written(row.path)) })]);
    this.#trees.state = this.#makeTree("state", "The state", filter);
    this.#trees.action = this.#makeTree("action", "The action", () => []);
    this.#queries = new QueryTable(this.#panes.queries, {
      onReveal: (path) => this.reveal(path), onTurn: (first) => this.#turnQueries(first) });
    setInterval(() => this.#beat(), beat);
    $("detail-tabs").addEventListener("click", ({ target }) => this.turnTo(target.dataset.tab));
    this.turnTo(inspector.settings.get("tab") ?? "changes");
  }

  get tab() {
    return this.#tab;
  }

  /** Shows another tab. */
  turnTo(tab) {
    const { store, settings } = this.#inspector;
    if (!this.#panes[tab] || (store && available(tab, store) !== tab)) return;
    this.#chosen = tab;
    settings.set("tab", tab);
    this.#turn(tab);
  }

  #turn(tab) {
    this.#tab = tab;
    for (const [name, pane] of Object.entries(this.#panes)) {
      pane.hidden = name !== tab;
      $(`tab-${name}`).setAttribute("aria-selected", name === tab);
      $(`tab-${name}`).tabIndex = name === tab ? 0 : -1;
    }
    $("panel").setAttribute("aria-labelledby", `tab-${tab}`);
    this.#copyable = null;
    this.#shown[tab] = null;
    this.#latest.forget();
    this.#showTools();
    if (this.#inspector.store) this.show(this.#inspector.store);
  }

  /** Shows a path in the state. */
  reveal(path) {
    this.#sought = path;
    this.turnTo("state");
  }

  /** Asks again for all that is shown. */
  forget() {
    this.#latest.forget();
    this.#shown = {};
  }

  /** Shows the action that is looked at now. */
  show(store) {
    const { log } = store;
    $("tab-queries").hidden = !log.hasQueries;
    const chosen = available(this.#chosen, store);
    if (chosen !== this.#tab) return this.#turn(chosen);
    const id = store.shown;
    const isFollowing = store.selection === null;
    const entry = id === 0 ? base : log.entry(id);
    // What is followed is told of when the answer is there, so that the head fits what stands below it.
    const isLate = isFollowing && this.#shown[this.#tab]?.store === store && this.#inspector.isConnected;
    if (!isLate) this.#showHead(store, entry, isFollowing);
    if (!entry || !log.isKnown) return;
    const tab = this.#tab;
    if (!this.#inspector.isConnected) return this.#showWithout(store, tab, id);
    const isCurrent = id === log.current;
    const ask = {
      changes: async () => ({ changes: id === 0 ? null : await store.changesOf(id) }),
      state: async () => {
        const [state, changes] = await Promise.all([
          store.request({ type: "state", at: isCurrent ? null : id, path: null }),
          id === 0 ? { changes: [] } : store.changesOf(id).catch(() => ({ changes: [] })),
        ]);
        return { tree: state.tree, at: state.at, address: state.address, changes };
      },
      action: async () => (id === 0 ? null : await store.request({ type: "action", entry: id })),
      queries: () => store.request({ type: "queries", at: isCurrent ? null : id, from: store.firstQuery }),
    }[tab];
    // What follows the log shows what came in between; what is selected shows nothing else.
    const subject = `${store.id}/${tab}/${isFollowing ? "current" : id}`;
    const isSettled = tab === "action" || !isCurrent;
    const part = tab === "queries" ? `${store.firstQuery}/${isCurrent ? this.#beats : ""}` : "";
    const revision = `${id}/${isSettled ? store.recomputed : log.revision}/${part}`;
    this.#latest.want(subject, revision, ask, (outcome) => this.#showOutcome(store, tab, id, outcome));
  }

  /** Without a connection, what is known already is still shown. */
  #showWithout(store, tab, id) {
    if (this.#shown[tab]?.place === `${store.id}/${id}`) return;
    const known = store.changes.get(id);
    if (tab === "changes" && known) this.#showOutcome(store, tab, id, { answer: { changes: known } });
    else this.#tell(tab, "This content is available when the program reconnects.");
  }

  #showOutcome(store, tab, id, { answer, refusal }) {
    const pane = this.#panes[tab];
    if (refusal?.code === "offline") return;
    this.#showHead(store, id === 0 ? base : store.log.entry(id), store.selection === null);
    if (refusal) return this.#tell(tab, line(refusal.message, 1000), "trouble");
    const place = `${store.id}/${id}`;
    const essence = tab === "changes" ? answer.changes : answer;
    if (this.#shown[tab]?.place === place && this.#shown[tab].essence === essence) return;
    this.#shown[tab] = { store, place, essence };
    this.#copyable = null;
    if (tab === "changes" && id === 0) this.#tell(tab, "The history starts at the base.");
    else if (tab === "changes") {
      showChanges(pane, answer.changes, {
        onReveal: (path) => this.reveal(path), onFilter: (path) => this.#inspector.showPath(path),
      });
      this.#copyable = changesText(answer.changes);
      this.#countChanges(answer.changes);
    } else if (tab === "action" && id === 0) this.#tell(tab, "The base has no action.");
    else if (tab === "action") this.#showAction(store, answer);
    else if (tab === "queries") this.#showQueries(answer);
    else this.#showState(store, answer);
    this.#showTools();
  }

  #showState(store, { tree, at, address, changes }) {
    this.#message("state", null);
    this.#showAddress(address);
    this.#trees.state.show(tree, {
      open: store.open.state, changes: changes.changes,
      load: async (path) => (await store.request({ type: "state", at, path })).tree,
    });
    this.#copyable = outline(tree);
    if (this.#sought !== null) this.#trees.state.reveal(this.#sought);
    this.#sought = null;
  }

  /** Shows the address of the place that the state shows, if the store has addresses. */
  #showAddress(address) {
    const pane = this.#panes.state;
    pane.querySelector(".address")?.remove();
    if (address == null) return;
    const text = make("span", "address-text", line(address, 500));
    const row = make("div", "address");
    row.append(make("span", "address-label", "Address"), text, button("Copy address", {
      symbol: "copy", run: () => this.#inspector.copy(address) }));
    pane.prepend(row);
  }

  #showAction(store, answer) {
    this.#message("action", null);
    const pane = this.#panes.action;
    pane.querySelector(".json")?.remove();
    const isJSON = this.#isJSON && answer.json != null;
    pane.classList.toggle("is-json", isJSON);
    if (isJSON) pane.append(jsonElement(answer.json));
    this.#trees.action.show(answer.tree, { open: store.open.action });
    this.#copyable = answer.json ?? outline(answer.tree);
    this.#action = { store, answer };
  }

  #showQueries({ table, at }) {
    this.#message("queries", null);
    this.#queries.show(table, { isCurrent: at === null });
    this.#copyable = table.rows.length > 0 ? table : null;
  }

  #turnQueries(first) {
    this.#inspector.store.firstQuery = first;
    this.#inspector.changed();
  }

  #beat() {
    if (this.#tab !== "queries" || document.hidden) return;
    this.#beats += 1;
    this.#inspector.changed();
  }

  #makeTree(name, label, tools) {
    const holder = make("div", "tree-holder");
    this.#panes[name].append(holder);
    const tree = new Tree(holder, { label, tools, prefix: name });
    tree.onCopy = (text) => this.#inspector.copy(text);
    return tree;
  }

  #tell(tab, text, className = "empty") {
    this.#shown[tab] = null;
    if (tab === "changes") this.#panes.changes.replaceChildren(make("p", className, text));
    else this.#message(tab, text, className);
  }

  /** Shows a sentence in place of a tree, or the tree again. */
  #message(tab, text, className) {
    const pane = this.#panes[tab];
    pane.querySelector(":scope > p")?.remove();
    pane.classList.toggle("has-message", text !== null);
    if (text !== null) pane.append(make("p", className, text));
  }

  #showHead(store, entry, isFollowing) {
    const { log } = store;
    if (!entry || !log.isKnown) {
      setText($("detail-title"), store.isGone ? "This store has been released" : "Nothing selected");
      return setText($("detail-facts"), "");
    }
    setText($("detail-title"), entry.id === 0 ? "Base" : line(entry.name, 160));
    const facts = entry.id === 0 ? ["the state before the first action"] : [
      `#${entry.id}`, clock(entry.time), took(entry.duration), line(entry.origin, 200),
      entry.isSkipped ? "skipped" : null, log.isUndone(entry) ? "undone" : null,
      entry.isAmended ? "amended by actions that are not recorded" : null,
    ];
    if (entry.id === log.current) facts.push(isFollowing ? "current, followed" : "current");
    setText($("detail-facts"), facts.filter(Boolean).join(" · "));
    if (this.#tab !== "changes") this.#countChanges(store.changes.get(entry.id));
  }

  #countChanges(answer) {
    const tab = $("tab-changes");
    if (!answer) {
      tab.removeAttribute("aria-label");
      return delete tab.dataset.count;
    }
    tab.dataset.count = `${answer.changes.length}${answer.isCut ? "+" : ""}`;
    tab.setAttribute("aria-label", `Changes: ${tab.dataset.count}`);
  }

  #makeTools() {
    const tools = {
      json: button("JSON", { run: () => this.#switchJSON() }),
      again: button("Again…", { symbol: "dispatch", hint: "Dispatch this action again, or edit it first",
        run: () => this.#inspector.openDispatch(this.#nameOfAction(), pretty(this.#action.answer.json)) }),
      copy: button("Copy", { symbol: "copy", run: () => this.#copy() }),
    };
    $("detail-tools").append(tools.json, tools.again, tools.copy);
    return tools;
  }

  #showTools() {
    const { json, again, copy } = this.#tools;
    copy.hidden = this.#copyable === null;
    copy.dataset.hint = `Copy ${copied[this.#tab]}`;
    json.hidden = copy.hidden || this.#tab !== "action" || this.#action?.answer.json == null;
    again.hidden = json.hidden || !this.#action.store.actions.includes(this.#nameOfAction());
    setText(json.querySelector(".label"), this.#isJSON ? "Tree" : "JSON");
  }

  #copy() {
    // The table can be sorted after it was shown.
    this.#inspector.copy(this.#tab === "queries" ? this.#queries.text : this.#copyable);
  }

  #nameOfAction() {
    const { store, answer } = this.#action;
    return store.log.entry(answer.entry)?.name;
  }

  #switchJSON() {
    this.#isJSON = !this.#isJSON;
    const { store, answer } = this.#action;
    this.#showAction(store, answer);
    this.#showTools();
  }
}

/** The tab itself, or another one if a store does not have it. */
function available(tab, { log }) {
  return tab === "queries" && log.isKnown && !log.hasQueries ? "changes" : tab;
}

/** What the copy button of each tab copies. */
const copied = {
  changes: "the changes as text", state: "the state as text", action: "the action",
  queries: "the table as text",
};
