// The nodes of which a tree of values is made, as text.

const cut = (text, limit) => (text.length > limit ? `${text.slice(0, limit)}…` : text);

/** The text of a tree as far as it is known, for the clipboard. */
export function outline(node, depth = 0) {
  const indent = "  ".repeat(depth);
  const value = node.isRedacted ? "redacted" : node.value ?? node.summary ?? node.type;
  const below = (node.children ?? []).map((child) => outline(child, depth + 1));
  const more = node.isCut ? [`${indent}  …`] : [];
  return [`${indent}${node.label}: ${value}`, ...below, ...more].join("\n");
}

/** A few of the parts of what has no words of its own, so that one knows it without opening it. */
export function preview({ children }) {
  const known = (children ?? []).filter(({ value }) => value != null).slice(0, 4);
  if (known.length === 0) return "";
  const words = known.map(({ label, value }) => `${label}: ${cut(value, 40)}`);
  return `(${words.join(", ")}${known.length < children.length ? ", …" : ""})`;
}

/** What a value looks like, to be coloured by. */
export function kind(node) {
  if (node.isRedacted) return "redacted";
  if (node.children) return "summary";
  if (node.value?.startsWith('"')) return "string";
  if (/^-?[\d.]/.test(node.value ?? "")) return "number";
  if (/^(true|false|nil)$/.test(node.value ?? "")) return "word";
  return "other";
}
