// JSON as text, laid out for reading. Numbers stay as they are written: parsing would cost large ones digits.

import { lines, make } from "./text.js";

const token = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null|[{}[\],:]|[^\s{}[\],:"]+/g;

/** The parts of a JSON text with line breaks and indents between them: `[kind, text]`. */
export function layout(text) {
  const parts = [];
  const closing = [];
  const indent = () => "\n" + "  ".repeat(closing.length);
  const tokens = text.match(token) ?? [];
  tokens.forEach((part, index) => {
    if (part === "{" || part === "[") {
      const isEmpty = tokens[index + 1] === "}" || tokens[index + 1] === "]";
      closing.push(isEmpty);
      parts.push(["sign", isEmpty ? part : part + indent()]);
    } else if (part === "}" || part === "]") {
      const wasEmpty = closing.pop();
      parts.push(["sign", wasEmpty ? part : indent() + part]);
    } else if (part === ",") parts.push(["sign", "," + indent()]);
    else if (part === ":") parts.push(["sign", ": "]);
    else if (part.startsWith('"')) parts.push([tokens[index + 1] === ":" ? "label" : "string", part]);
    else parts.push([/^[-\d]/.test(part) ? "number" : "word", part]);
  });
  return parts;
}

/** A JSON text laid out. */
export function pretty(text) {
  return layout(text).map(([, part]) => part).join("");
}

/** An element that shows a JSON text. Colours are left out where it is long. */
export function jsonElement(text) {
  const element = make("pre", "json");
  element.tabIndex = 0;
  element.setAttribute("aria-label", "The action as JSON");
  if (text.length > 100_000) element.textContent = lines(pretty(text), 1_000_000);
  else element.append(...layout(text).map(([kind, part]) => make("span", `json-${kind}`, lines(part))));
  return element;
}
