// The table of the entries in the query caches of a state.

import { button, clock, counted, line, make, number, setText } from "./text.js";

const ranks = ["loading", "fetching", "failed", "success", "uninitialized"];

/** The columns: `sort` is what their rows are sorted by, and those without it cannot be sorted by. */
const columns = [
  { name: "query", title: "Query", sort: ({ query }) => query },
  { name: "status", title: "Status", sort: ({ status }) => ranks.indexOf(status) },
  { name: "subscribers", title: "Subscribers", sort: ({ subscribers }) => subscribers ?? -1 },
  { name: "tags", title: "Tags" },
  { name: "time", title: "Result", sort: ({ fulfilledAt }) => fulfilledAt ?? 0 },
];

const inOrder = new Intl.Collator("en-US", { numeric: true });

/** A table that shows some entries at a time, and keeps its rows where they are while their values change. */
export class QueryTable {
  #onReveal;
  #onTurn;
  #shown = null;
  #order = null;
  #headers = new Map();
  #caption = make("caption", "unseen");
  #body = make("tbody", "");
  #text = make("span", "queries-text");
  #empty = make("p", "empty");
  #scroll;
  #before = button("Previous", { hint: "Show the entries before these", run: () => this.#turn(-1) });
  #after = button("Next", { hint: "Show the entries after these", run: () => this.#turn(1) });

  /** `onReveal` is told the path of an entry, and `onTurn` the first entry to show. */
  constructor(container, { onReveal, onTurn }) {
    this.#onReveal = onReveal;
    this.#onTurn = onTurn;
    const head = make("tr", "", ...columns.map((column) => this.#makeHeader(column)));
    const table = make("table", "", this.#caption, make("thead", "", head), this.#body);
    this.#scroll = make("div", "queries-scroll", table);
    this.#scroll.tabIndex = 0;
    this.#scroll.setAttribute("role", "region");
    this.#scroll.setAttribute("aria-label", "The entries of the query cache");
    const foot = make("div", "queries-foot", this.#text, this.#before, this.#after);
    container.append(make("div", "queries", this.#scroll, this.#empty, foot));
  }

  /** Shows a section of a table; subscribers are known only when the state is the current one. */
  show(table, { isCurrent }) {
    this.#shown = { table, isCurrent };
    const { count, first, rows } = table;
    this.#scroll.hidden = rows.length === 0;
    this.#empty.hidden = !this.#scroll.hidden;
    setText(this.#empty, reasonForNone(table));
    const isWhole = rows.length === count;
    const range = isWhole ? (count === 1 ? "1 entry" : `${number(count)} entries`)
      : `Entries ${number(first + 1)}–${number(first + rows.length)} of ${number(count)}`;
    const past = isCurrent ? null : "subscribers are known only for the current state";
    setText(this.#text, [range, past].filter(Boolean).join(" · "));
    setText(this.#caption, `${range} of the query cache`);
    this.#before.hidden = this.#after.hidden = isWhole;
    this.#before.disabled = first === 0;
    this.#after.disabled = first + rows.length >= count;
    this.#fill();
  }

  /** The rows as text, for the clipboard. */
  get text() {
    const cells = (row) => [row.query, words(row).join(", "), subscribers(row, this.#shown),
      tagTexts(row).join(", "), clock(row.fulfilledAt), row.error ?? ""];
    return [[...columns.map(({ title }) => title), "Error"], ...this.#rows().map(cells)]
      .map((row) => row.join("\t")).join("\n");
  }

  #makeHeader(column) {
    const header = make("th", `queries-${column.name}`);
    header.scope = "col";
    if (column.sort) {
      header.append(button(column.title, { className: "queries-sort",
        hint: `Sort by ${column.title.toLowerCase()}`, run: () => this.#sort(column) }));
    } else header.append(column.title);
    this.#headers.set(column, header);
    return header;
  }

  /** Sorts by a column, then in the other direction, then no longer. */
  #sort(column) {
    const { column: known, isDown } = this.#order ?? {};
    this.#order = known !== column ? { column, isDown: false } : isDown ? null : { column, isDown: true };
    for (const [other, header] of this.#headers) {
      if (this.#order?.column !== other) header.removeAttribute("aria-sort");
      else header.setAttribute("aria-sort", this.#order.isDown ? "descending" : "ascending");
    }
    this.#fill();
  }

  #rows() {
    const { rows } = this.#shown.table;
    if (!this.#order) return rows;
    const { column: { sort }, isDown } = this.#order;
    const compare = (first, second) => (typeof first === "string"
      ? inOrder.compare(first, second) : first - second);
    const sorted = [...rows].sort((first, second) => compare(sort(first), sort(second)));
    return isDown ? sorted.reverse() : sorted;
  }

  #turn(step) {
    const { first, rows } = this.#shown.table;
    // A section before this one may have had fewer entries: then some of them are shown again.
    this.#onTurn(step > 0 ? first + rows.length : Math.max(0, first - rows.length));
    this.#scroll.scrollTop = 0;
  }

  #fill() {
    const rows = this.#rows();
    while (this.#body.rows.length > rows.length) this.#body.lastElementChild.remove();
    while (this.#body.rows.length < rows.length) this.#body.append(this.#makeRow());
    rows.forEach((row, index) => fillRow(this.#body.rows[index], row, this.#shown));
  }

  #makeRow() {
    const row = make("tr", "");
    row.parts = {
      link: button("", { className: "queries-link", hint: "Show this entry in the state",
        run: () => this.#onReveal(row.shown.path) }),
      name: make("span", "queries-name"), about: make("span", "queries-about"),
      status: make("span", "queries-chips"), error: make("p", "trouble"), tags: make("span", "queries-chips"),
      subscribers: make("td", "queries-subscribers"), time: make("td", "queries-time"),
    };
    const { link, name, about, status, error, subscribers: count, tags, time } = row.parts;
    const header = make("th", "queries-query", link, name, about);
    header.scope = "row";
    row.append(header, make("td", "queries-status", status, error), count,
      make("td", "queries-tags", tags), time);
    return row;
  }
}

function reasonForNone({ caches, isRedacted }) {
  if (isRedacted) return "The entries of the query cache are redacted: they have not left the program.";
  return caches > 0 ? "The query cache has no entries."
    : "This state has no query cache among its properties.";
}

/** What is known of a request, with the status first. */
function words({ status, isInvalidated, failedAttempts, pendingEdits, isRedacted }) {
  if (isRedacted) return ["redacted"];
  return [status, isInvalidated ? "invalidated" : null, failedAttempts ? `attempt ${failedAttempts + 1}` : null,
    pendingEdits ? counted(pendingEdits, "pending edit") : null].filter(Boolean);
}

function subscribers(row, { isCurrent }) {
  return isCurrent && row.subscribers != null ? number(row.subscribers) : "—";
}

function tagTexts({ tags = [], tagCount }) {
  const hidden = (tagCount ?? tags.length) - tags.length;
  return hidden > 0 ? [...tags, `${number(hidden)} more`] : tags;
}

function fillRow(element, row, shown) {
  const { parts } = element;
  element.shown = row;
  const name = line(row.query, 300);
  parts.link.hidden = row.path == null;
  parts.name.hidden = !parts.link.hidden;
  setText(parts.link.querySelector(".label"), name);
  setText(parts.name, name);
  const about = [row.type != null && !row.query.startsWith(row.type) ? row.type : null, row.cache];
  setText(parts.about, line(about.filter(Boolean).join(" · "), 200));
  setChips(parts.status, words(row));
  setText(parts.error, line(row.error, 300));
  setText(parts.subscribers, subscribers(row, shown));
  setChips(parts.tags, tagTexts(row).map((tag) => line(tag, 100)));
  setText(parts.time, clock(row.fulfilledAt));
}

/** Shows words side by side, and leaves them alone when they are there already. */
function setChips(element, texts) {
  while (element.children.length > texts.length) element.lastElementChild.remove();
  while (element.children.length < texts.length) element.append(make("span", "queries-chip"), " ");
  texts.forEach((text, index) => {
    const chip = element.children[index];
    setText(chip, text);
    chip.dataset.kind = text;
  });
}
