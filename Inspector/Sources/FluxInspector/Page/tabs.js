// The tabs of the stores.

import { roveTabs } from "./roving.js";
import { line, make, number, setText } from "./text.js";

/** A tab for each store, those that have ended too. */
export class StoreTabs {
  #element = document.getElementById("stores");
  #tabs = new Map();
  #turnTo;

  constructor(turnTo) {
    this.#turnTo = turnTo;
    roveTabs(this.#element);
  }

  show(stores, active) {
    for (const [id, tab] of this.#tabs) {
      if (stores.some((store) => store.id === id)) continue;
      tab.remove();
      this.#tabs.delete(id);
    }
    for (const store of stores) {
      const tab = this.#tabs.get(store.id) ?? this.#makeTab(store.id);
      const isActive = store === active;
      setText(tab.querySelector(".store-name"), line(store.name, 60));
      setText(tab.querySelector(".store-count"), store.log.isKnown ? number(store.log.entries.length) : "");
      tab.setAttribute("aria-selected", isActive);
      tab.tabIndex = isActive ? 0 : -1;
      tab.classList.toggle("gone", store.isGone);
    }
  }

  #makeTab(id) {
    const tab = make("button", "store", make("span", "store-name"), make("span", "store-count"));
    tab.setAttribute("role", "tab");
    tab.setAttribute("aria-controls", "log");
    tab.addEventListener("click", () => this.#turnTo(id));
    this.#tabs.set(id, tab);
    this.#element.append(tab);
    return tab;
  }
}
