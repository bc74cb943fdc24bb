// What the page has to say: a bar for what went wrong, and words for those who do not see it.

import { line } from "./text.js";

const $ = (id) => document.getElementById(id);

/** The bar below the buttons. */
export const notice = {
  /** Says what went wrong. */
  show(message) {
    $("notice-text").textContent = line(message, 2000);
    $("notice").hidden = false;
  },
  clear() {
    $("notice").hidden = true;
    $("notice-text").textContent = "";
  },
};

$("notice-close").addEventListener("click", () => notice.clear());

/** Says something to screen readers when they are done with what they are at. */
export function announce(message) {
  $("announcement").textContent = line(message, 300);
}
