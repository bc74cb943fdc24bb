// The log on the page: its rows, selecting with mouse and keyboard, and following what comes.

import { List } from "./list.js";
import { clock, counted, hue, line, make, number, setMarked, setText, since, took } from "./text.js";
import { firstIndex } from "./log.js";

/** A frame of 60 a second: who takes longer is seen to. */
const slow = 16_000;
const $ = (id) => document.getElementById(id);

/** The list of actions of the store that is looked at. */
export class LogView {
  #inspector;
  #rows = $("rows");
  #list;
  #shownStore = null;
  #isSinceBefore;
  #scrolls = new Map();

  constructor(inspector) {
    this.#inspector = inspector;
    this.#isSinceBefore = inspector.settings.get("times") === "since";
    this.#list = new List(this.#rows, {
      makeRow,
      fillRow: (row, entry, index) => this.#fill(row, entry, index),
      onScroll: () => this.#showNewest(),
      marked: () => (this.#shownStore ? this.#indexOf(this.#shownStore.shown) : -1),
    });
    this.#list.isFollowing = true;
    this.#rows.addEventListener("click", (event) => this.#click(event));
    this.#rows.addEventListener("dblclick", (event) => {
      const row = event.target.closest(".row");
      if (row && !event.target.closest(".row-tools")) this.#inspector.jump(row.entry.id);
    });
    for (const event of ["focus", "blur"]) this.#rows.addEventListener(event, () => this.#list.renderSoon());
    $("newest").addEventListener("click", () => this.toNewest());
    $("times").addEventListener("click", () => this.#switchTimes());
    this.#nameTimes();
  }

  /** Shows the store's log as it is now. */
  show(store) {
    if (this.#shownStore !== store) this.#turnTo(store);
    const items = store.visible();
    this.#list.setItems(items, {
      keyOf: (entry) => entry.id,
      find: (id) => {
        const index = firstIndex(items, id);
        return index < items.length ? index : -1;
      },
    });
    this.#showEmpty(store, items.length);
    this.#showCount(store, items);
    this.#showNewest();
  }

  /** Goes to the newest action; if the state stands behind it, what comes is followed, with no selection. */
  toNewest() {
    const { log } = this.#inspector.store;
    this.#inspector.select(log.current === log.last ? null : log.last);
    this.#list.isFollowing = true;
    this.#list.scrollToEnd();
    this.#showNewest();
  }

  /** Moves the selection by so many rows. */
  move(by) {
    const { items } = this.#list;
    if (items.length === 0) return;
    const { shown } = this.#inspector.store;
    const index = firstIndex(items, shown);
    this.moveTo(this.#indexOf(shown) >= 0 || by < 0 ? index + by : index + by - 1);
  }

  moveTo(index) {
    const { items } = this.#list;
    if (items.length === 0) return;
    const place = Math.max(0, Math.min(items.length - 1, index));
    this.#list.isFollowing = place === items.length - 1;
    this.#inspector.select(items[place].id);
    this.#list.reveal(place);
  }

  get pageSize() {
    return this.#list.pageSize;
  }

  focus() {
    this.#rows.focus();
  }

  /** Scrolls so that an entry is seen. */
  reveal(id) {
    const index = this.#indexOf(id);
    if (index < 0) return;
    this.#list.isFollowing = index === this.#list.items.length - 1;
    this.#list.reveal(index);
  }

  #indexOf(id) {
    const { items } = this.#list;
    const index = firstIndex(items, id);
    return items[index]?.id === id ? index : -1;
  }

  #turnTo(store) {
    if (this.#shownStore) {
      const { isFollowing } = this.#list;
      this.#scrolls.set(this.#shownStore.id, { top: this.#rows.scrollTop, isFollowing });
    }
    this.#shownStore = store;
    const before = this.#scrolls.get(store.id) ?? { top: 0, isFollowing: true };
    this.#list.isFollowing = before.isFollowing;
    this.#list.setItems(store.visible());
    if (!before.isFollowing) this.#rows.scrollTop = before.top;
  }

  #click(event) {
    const row = event.target.closest(".row");
    if (!row) return;
    const tool = event.target.closest("[data-tool]")?.dataset.tool;
    this.#inspector.select(row.entry.id);
    if (tool === "jump") this.#inspector.jump(row.entry.id);
    if (tool === "skip") this.#inspector.skip(row.entry);
  }

  #fill(row, entry, index) {
    const { parts } = row;
    const { store } = this.#inspector;
    const { log, filter } = store;
    row.entry = entry;
    row.id = `row-${entry.id}`;
    const isBase = entry.id === 0;
    const isShown = entry.id === store.shown;
    const states = {
      base: isBase,
      shown: isShown,
      current: entry.id === log.current,
      undone: log.isUndone(entry),
      skipped: entry.isSkipped,
      amended: entry.isAmended,
      "in-step": !isBase && entry.step !== entry.id,
      "step-goes-on": !isBase && this.#list.items[index + 1]?.step === entry.step,
      slow: entry.duration > slow,
    };
    for (const [name, isOn] of Object.entries(states)) row.classList.toggle(name, Boolean(isOn));
    row.setAttribute("aria-selected", isShown);
    row.setAttribute("aria-posinset", index + 1);
    row.setAttribute("aria-setsize", this.#list.items.length);
    if (isShown) this.#rows.setAttribute("aria-activedescendant", row.id);
    row.dataset.hue = isBase ? "" : hue(entry.name);
    setText(parts.time, this.#time(entry, index));
    setMarked(parts.name, line(entry.name, 120), filter.terms);
    setText(parts.state, stateWords(states));
    setMarked(parts.text, line(rest(entry)), filter.terms);
    setText(parts.duration, took(entry.duration));
    setMarked(parts.origin, line(entry.origin, 160), filter.terms);
    setText(parts.skip, entry.isSkipped ? "Unskip" : "Skip");
  }

  #time(entry, index) {
    if (entry.time == null) return "";
    if (!this.#isSinceBefore) return clock(entry.time);
    const before = this.#list.items[index - 1]?.time;
    return before == null ? clock(entry.time) : since(entry.time - before);
  }

  #switchTimes() {
    this.#isSinceBefore = !this.#isSinceBefore;
    this.#inspector.settings.set("times", this.#isSinceBefore ? "since" : "clock");
    this.#nameTimes();
    this.#list.renderSoon();
  }

  #nameTimes() {
    setText($("times"), this.#isSinceBefore ? "After" : "Time");
    $("times").dataset.hint = this.#isSinceBefore
      ? "Show the time of day" : "Show the time since the previous action";
  }

  #showEmpty(store, count) {
    const empty = $("log-empty");
    const { log, filter } = store;
    const isEmpty = count === 0 || log.entries.length === 0;
    empty.hidden = !isEmpty;
    if (!isEmpty) return;
    setText(empty, !log.isKnown ? "Waiting for the program…"
      : log.entries.length === 0 ? "No actions yet. They appear here as the program dispatches them."
      : filter.path !== "" && store.scan.missing > 0 ? "Looking for actions that changed this path…"
      : "No action matches the search and the filters.");
  }

  #showCount(store, items) {
    const { log, filter, scan } = store;
    const parts = [counted(log.entries.length, "action")];
    if (filter.isOn) parts.push(`${number(items.length)} shown`);
    const undone = log.entries.length - log.position;
    if (undone > 0) parts.push(`${number(undone)} undone`);
    if (log.isPaused) parts.push("paused");
    if (log.isLocked) parts.push(`locked: ${number(log.refused)} refused`);
    if (scan.missing > 0) parts.push(`${number(scan.missing)} not searched yet`);
    setText($("count"), parts.join(" · "));
    $("clear-filters").hidden = !filter.isOn;
  }

  #showNewest() {
    const { below, isFollowing } = this.#list;
    $("newest").hidden = isFollowing || below === 0;
    if (!$("newest").hidden) setText($("newest"), `Newest ↓ ${number(below)}`);
  }
}

/** The entry's text, without the name that it mostly begins with. */
function rest({ name, text }) {
  return text.startsWith(name) ? text.slice(name.length).trimStart() : text;
}

function stateWords({ skipped, undone, amended, current, base }) {
  const words = { skipped, undone, amended, current: current && base };
  return Object.keys(words).filter((word) => words[word]).join(" · ");
}

function makeRow() {
  const row = make("div", "row");
  row.setAttribute("role", "option");
  row.parts = {};
  const cell = (name, ...children) => {
    row.parts[name] = make("span", `cell-${name}`, ...children);
    return row.parts[name];
  };
  row.parts.skip = make("span", "row-tool");
  row.parts.skip.dataset.tool = "skip";
  const jump = make("span", "row-tool", "Jump");
  jump.dataset.tool = "jump";
  // For the mouse only: the keyboard has Enter and s.
  const tools = make("span", "row-tools", jump, row.parts.skip);
  tools.setAttribute("aria-hidden", "true");
  row.append(make("span", "row-mark"), cell("time"), make("span", "cell-action", cell("name"), cell("state"),
    cell("text")), cell("duration"), cell("origin"), tools);
  return row;
}
