// Hints beside what the mouse is over or the keyboard has come to: unlike titles, they show for both.

import { make } from "./text.js";

const hint = document.getElementById("hint");
const gap = 6;
let owner = null;
let timer = 0;

/** Shows `data-hint` of elements, and `data-key` with it. */
export function showHints() {
  const arrive = (event, pause) => {
    const element = event.target.closest?.("[data-hint]");
    if (element === owner) return;
    leave();
    if (!element) return;
    owner = element;
    timer = setTimeout(show, pause);
  };
  document.addEventListener("mouseover", (event) => arrive(event, 350));
  document.addEventListener("focusin", (event) => {
    if (event.target.matches(":focus-visible")) arrive(event, 0);
    else leave();
  });
  document.addEventListener("focusout", leave);
  for (const event of ["pointerdown", "scroll", "keydown"]) addEventListener(event, leave, { capture: true });
}

function show() {
  if (!owner?.isConnected) return;
  const { hint: text, key } = owner.dataset;
  hint.replaceChildren(text, ...(key ? [make("kbd", "", key)] : []));
  hint.hidden = false;
  owner.setAttribute("aria-describedby", "hint");
  const place = owner.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = hint;
  const left = Math.max(4, Math.min(place.left, innerWidth - width - 4));
  const isBelow = place.bottom + gap + height < innerHeight;
  hint.style.left = `${left}px`;
  hint.style.top = `${isBelow ? place.bottom + gap : place.top - gap - height}px`;
}

function leave() {
  clearTimeout(timer);
  owner?.removeAttribute("aria-describedby");
  owner = null;
  hint.hidden = true;
}
