// The branches that jumps into the past have left, each with a button that returns to it.

import { announce } from "./notice.js";
import { counted, setText } from "./text.js";

const $ = (id) => document.getElementById(id);

/** The bar below the strip of positions. */
export class Branches {
  #jump;
  #shown = "";
  #known = new WeakMap();

  /** `jump(id)` goes to an entry, also to one of a branch. */
  constructor(jump) {
    this.#jump = jump;
  }

  show(store, isConnected) {
    const { branches, evicted } = store.log;
    const canJump = isConnected && !store.isGone;
    const state = JSON.stringify([store.id, branches, evicted, canJump]);
    if (state === this.#shown) return;
    this.#shown = state;
    $("branches").hidden = branches.length === 0 && evicted === 0;
    setText($("branches-text"), words(branches, evicted));
    $("branches-list").replaceChildren(...branches.toReversed().map((branch) => this.#button(branch, canJump)));
    if (branches.length > (this.#known.get(store) ?? 0)) announce(words(branches, evicted));
    this.#known.set(store, branches.length);
  }

  #button({ fork, first, last, count }, canJump) {
    const button = document.createElement("button");
    button.className = "link";
    button.disabled = !canJump;
    button.dataset.last = last;
    const place = fork === 0 ? "the base" : `#${fork}`;
    button.textContent = first === last ? `#${first} after ${place}` : `#${first}–#${last} after ${place}`;
    button.setAttribute("aria-label", `Return to ${counted(count, "action")}: ${button.textContent}`);
    button.addEventListener("click", () => this.#jump(last));
    return button;
  }
}

function words(branches, evicted) {
  const count = branches.reduce((sum, branch) => sum + branch.count, 0);
  const parts = [];
  if (count > 0) parts.push(`${counted(count, "action")} set aside after a jump into the past. Return to:`);
  if (evicted > 0) parts.unshift(`${counted(evicted, "action")} removed to bound the history.`);
  return parts.join(" ");
}
