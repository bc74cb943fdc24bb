// The filter by name: which actions are shown, with how many there are of each.

import { button, hue, line, make, number, setText } from "./text.js";

const $ = (id) => document.getElementById(id);

/** The button that tells which names are shown, and what opens below it. */
export class Names {
  #inspector;
  #panel = $("names");
  #button = $("names-button");

  constructor(inspector) {
    this.#inspector = inspector;
    this.#panel.addEventListener("beforetoggle", ({ newState }) => newState === "open" && this.#fill());
    this.#panel.addEventListener("toggle", ({ newState }) => {
      if (newState === "open") this.#place();
    });
    this.#panel.addEventListener("keydown", (event) => this.#press(event));
  }

  open() {
    this.#panel.showPopover();
    this.#panel.querySelector("input")?.focus();
  }

  show(store) {
    const { only, hidden } = store.filter;
    setText($("names-text"), only !== null ? `Only ${line(only, 40)}`
      : hidden.size > 0 ? `${number(hidden.size)} hidden` : "All actions");
    this.#button.classList.toggle("on", only !== null || hidden.size > 0);
  }

  #fill() {
    const { store } = this.#inspector;
    const counts = new Map();
    for (const { name } of store.log.entries) counts.set(name, (counts.get(name) ?? 0) + 1);
    for (const name of store.filter.hidden) if (!counts.has(name)) counts.set(name, 0);
    const names = [...counts].sort(([first], [second]) => (first < second ? -1 : 1));
    const rows = names.map(([name, count]) => this.#row(name, count));
    const showAll = () => this.#change((filter) => filter.showOnly(null));
    const all = button("Show all", { className: "link", run: showAll });
    const list = make("div", "names-list", ...rows);
    this.#panel.replaceChildren(make("div", "names-head", make("strong", "", "Actions shown"), all),
      rows.length > 0 ? list : make("p", "empty", "No actions yet."));
  }

  #row(name, count) {
    const { filter } = this.#inspector.store;
    const box = make("input");
    box.type = "checkbox";
    box.checked = filter.shows(name);
    box.addEventListener("change", () => this.#change((filter) => this.#set(filter, name, box.checked)));
    const mark = make("span", "row-mark");
    const label = make("label", "names-name", box, mark, make("span", "names-text", line(name, 80)),
      make("span", "names-count", number(count)));
    label.dataset.hue = hue(name);
    const only = button("Only", { run: () => this.#change((filter) => filter.showOnly(name)) });
    only.setAttribute("aria-label", `Only ${line(name, 80)}`);
    return make("div", "names-row", label, only);
  }

  /** From "only this one", checking another one means: these two. */
  #set(filter, name, isShown) {
    if (filter.only !== null) {
      const { only } = filter;
      filter.showOnly(null);
      for (const entry of this.#inspector.store.log.entries) {
        if (entry.name !== only) filter.hidden.add(entry.name);
      }
    }
    filter.show(name, isShown);
  }

  #change(change) {
    change(this.#inspector.store.filter);
    this.#inspector.changed();
    const places = [...this.#panel.querySelectorAll("button, input")];
    const place = places.indexOf(document.activeElement);
    this.#fill();
    this.#panel.querySelectorAll("button, input")[place]?.focus();
  }

  #press(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const boxes = [...this.#panel.querySelectorAll("input")];
    const row = document.activeElement.closest(".names-row")?.querySelector("input");
    boxes[(boxes.indexOf(row) + step + boxes.length) % boxes.length]?.focus();
  }

  /** Below the button, or as near to it as the window allows. */
  #place() {
    const { left, bottom } = this.#button.getBoundingClientRect();
    const width = this.#panel.offsetWidth;
    this.#panel.style.left = `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`;
    this.#panel.style.top = `${bottom + 4}px`;
  }
}
