// What an action changed: path, before and after.

import { button, line, lines, make } from "./text.js";

const shown = 500;

/** Whether a text says itself what went, as `- 3`, or came. */
function isSigned(text) {
  return /^[-+] /.test(text ?? "");
}

/** Fills an element with a list of changes; `onReveal` and `onFilter` are told the path of one. */
export function showChanges(container, { changes, isCut }, { onReveal, onFilter }) {
  if (changes.length === 0) {
    return container.replaceChildren(make("p", "empty", isCut
      ? "The states are too large to show what this action changed." : "This action changed nothing."));
  }
  const list = make("ul", "changes");
  list.tabIndex = 0;
  list.setAttribute("aria-label", "Changes of the action");
  list.append(...changes.slice(0, shown).map((change) => row(change, { onReveal, onFilter })));
  const hidden = changes.length - shown;
  const rest = hidden > 0 ? `${hidden} more changes are not shown.`
    : isCut ? "There are further changes, which the program does not send." : null;
  container.replaceChildren(list);
  if (rest) container.append(make("p", "changes-rest", rest));
}

function row(change, { onReveal, onFilter }) {
  const { kind } = change;
  const path = button(line(change.path, 300) || "the whole state", {
    className: "change-path", hint: change.kind === "removed" ? undefined : "Show this value in the state",
    run: () => onReveal(change.path) });
  const only = button("Only this path", {
    className: "small-button change-only", hint: "Show only actions that changed this path",
    run: () => onFilter(change.path) });
  const item = make("li", "change", make("div", "change-head", make("span", "change-kind", kind),
    path, ...(change.path === "" ? [] : [only])));
  item.dataset.kind = kind;
  const values = make("div", isShort(change) ? "change-values short" : "change-values");
  if (change.kind !== "inserted" && change.before != null) values.append(value("before", change.before));
  if (change.kind !== "removed" && change.after != null) values.append(value("after", change.after));
  item.append(values);
  return item;
}

/** Whether both sides fit on one line. */
function isShort({ before, after }) {
  return [before, after].every((side) => (side ?? "").length <= 36 && !/\n/.test(side ?? ""));
}

/** A value, of which a long one is cut until all of it is asked for. */
function value(side, text) {
  const limit = 600;
  const element = make("pre", `change-${side}${isSigned(text) ? " signed" : ""}`, lines(text, limit));
  element.setAttribute("aria-label", side);
  if (text.length <= limit) return element;
  const all = button(`All ${text.length.toLocaleString("en-US")} characters`, {
    className: "link", run: () => {
      element.textContent = lines(text);
      all.remove();
    } });
  return make("div", "change-long", element, all);
}

/** Changes as text, for the clipboard. */
export function changesText({ changes }) {
  return changes.map(({ path, kind, before, after }) => {
    const sides = [before, after].filter((side) => side != null).join(" → ");
    return `${kind} ${path}: ${sides}`;
  }).join("\n");
}
