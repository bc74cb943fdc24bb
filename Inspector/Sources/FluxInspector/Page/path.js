// Paths into a state, as the program writes them: `movies[27].title`, `tags["seen"]`.

const part = /\["((?:[^"\\]|\\.)*)"\]|\[([^\]]*)\]|[^.[\]]+/g;

/** The parts of a path: its names, and what stands in brackets, with quotes or without. */
export function parts(path) {
  return [...path.matchAll(part)].map(([whole, quoted, bare]) => quoted ?? bare ?? whole);
}

/** A path as the program would write it. */
export function written(labels) {
  return labels.map((label, index) => {
    if (/^\d+$/.test(label)) return `[${label}]`;
    if (!/^[\p{L}_][\p{L}\p{N}_]*$/u.test(label)) return `["${label}"]`;
    return index === 0 ? label : `.${label}`;
  }).join("");
}

/**
 * The labels on the way to a path.
 *
 * What stands in brackets without quotes may hold any sign, so that the tree is asked as far as it is known.
 */
export function labels(root, path) {
  const found = [];
  let node = root;
  let rest = path;
  while (rest !== "") {
    const step = node?.children?.map(({ label }, index) => ({ index, length: lengthOf(label, rest) }))
      .find(({ length }) => length > 0);
    if (!step) return [...found, ...parts(rest)];
    node = node.children[step.index];
    found.push(node.label);
    rest = rest.slice(step.length);
  }
  return found;
}

/** How much of the rest of a path a label takes up. */
function lengthOf(label, rest) {
  for (const form of [`[${label}]`, `.${label}`, label]) {
    if (!rest.startsWith(form)) continue;
    const next = rest[form.length];
    if (next === undefined || next === "." || next === "[") return form.length;
  }
  return 0;
}
