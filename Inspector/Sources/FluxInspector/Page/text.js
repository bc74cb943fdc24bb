// How values become text on the page. They are set as text only, never as markup, and signs that could hide
// or reorder what stands around them are spelled out.

// Control signs, marks of direction, blanks without width, and halves of signs that stand alone.
const hiding =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff\p{Cs}]/gu;
const onOneLine = { "\n": "↵", "\r": "␍", "\t": "⇥" };

function spelled(sign) {
  return `\\u{${sign.codePointAt(0).toString(16).toUpperCase()}}`;
}

function cut(text, limit) {
  if (text.length <= limit) return text;
  const isInSign = /[\ud800-\udbff]/.test(text[limit - 1]);
  return text.slice(0, isInSign ? limit - 1 : limit) + "…";
}

/** A value on one line, at most so many characters of it. */
export function line(value, limit = 400) {
  return cut(String(value ?? ""), limit).replace(hiding, (sign) => onOneLine[sign] ?? spelled(sign));
}

/** A value on as many lines as it has. */
export function lines(value, limit = Infinity) {
  const shown = (sign) => (sign === "\n" || sign === "\t" ? sign : spelled(sign));
  return cut(String(value ?? ""), limit).replace(hiding, shown);
}

/** Sets an element's text, and leaves the page alone when it is there already. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Sets an element's text, with what is searched for marked. */
export function setMarked(element, text, terms) {
  if (terms.length === 0) {
    if (element.firstElementChild) element.replaceChildren();
    return setText(element, text);
  }
  const small = text.toLowerCase();
  // Some signs grow when they are made small; marks would then stand in the wrong place.
  if (small.length !== text.length) return element.replaceChildren(text);
  const parts = [];
  let from = 0;
  while (from < text.length) {
    let start = -1;
    let length = 0;
    for (const term of terms) {
      const found = small.indexOf(term, from);
      if (found >= 0 && (start < 0 || found < start)) [start, length] = [found, term.length];
    }
    if (start < 0) break;
    const mark = document.createElement("mark");
    mark.textContent = text.slice(start, start + length);
    parts.push(text.slice(from, start), mark);
    from = start + length;
  }
  parts.push(text.slice(from));
  element.replaceChildren(...parts);
}

/** Makes an element of a class with children, which are elements or text. */
export function make(tag, className, ...children) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children.filter((child) => child != null));
  return element;
}

/** Makes one of the icons that the page holds. */
export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `#icon-${name}`);
  svg.append(use);
  return svg;
}

/** Makes a button with an icon, or a label, or both. */
export function button(label, { symbol, className = "small-button", hint, run }) {
  const element = make("button", className, symbol ? icon(symbol) : null, make("span", "label", label));
  if (hint) element.dataset.hint = hint;
  element.type = "button";
  element.addEventListener("click", run);
  return element;
}

const two = (number) => String(number).padStart(2, "0");
const three = (number) => String(number).padStart(3, "0");

/** A time of day: 14:03:07.250. */
export function clock(milliseconds) {
  if (milliseconds == null) return "";
  const time = new Date(milliseconds);
  return `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}.`
    + three(time.getMilliseconds());
}

/** A time between two actions: +0.250 s. */
export function since(milliseconds) {
  if (milliseconds == null) return "";
  if (milliseconds < 60_000) return `+${(milliseconds / 1000).toFixed(3)} s`;
  const minutes = Math.floor(milliseconds / 60_000);
  if (minutes < 60) return `+${minutes}:${two(Math.floor((milliseconds % 60_000) / 1000))} min`;
  return `+${Math.floor(minutes / 60)}:${two(minutes % 60)} h`;
}

/** A duration given in microseconds: 3.2 µs, 1.25 ms, 2.1 s. */
export function took(microseconds) {
  if (microseconds == null) return "";
  if (microseconds < 1000) return `${microseconds.toFixed(microseconds < 10 ? 1 : 0)} µs`;
  if (microseconds < 1e6) return `${(microseconds / 1000).toFixed(microseconds < 1e4 ? 2 : 1)} ms`;
  return `${(microseconds / 1e6).toFixed(2)} s`;
}

/** A number for reading: 10,000. */
export function number(value) {
  return value.toLocaleString("en-US");
}

/** A number of things: 1 action, 2 actions. */
export function counted(value, noun) {
  return `${number(value)} ${noun}${value === 1 ? "" : "s"}`;
}

const hues = new Map();

/** One of eight colours for a name: names have different ones as long as there are eight. */
export function hue(name) {
  if (!hues.has(name)) hues.set(name, hues.size % 8);
  return hues.get(name);
}

/** Puts text on the clipboard, just as it is. */
export async function copy(text) {
  await navigator.clipboard.writeText(text);
}
