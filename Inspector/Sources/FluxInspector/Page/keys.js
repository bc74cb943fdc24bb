// What the keyboard does, in one table: the list of keys is made from it too.

/** The keys, and what the inspector does for them. */
export function keyTable(inspector) {
  const { view, detail } = inspector;
  return [
    entry("ArrowDown j", "Select the next action", () => view.move(1)),
    entry("ArrowUp k", "Select the previous action", () => view.move(-1)),
    entry("PageDown", "A page down", () => view.move(view.pageSize)),
    entry("PageUp", "A page up", () => view.move(-view.pageSize)),
    entry("Home g", "The first action", () => view.moveTo(0)),
    entry("End G", "The newest action, and follow", () => view.toNewest()),
    entry("Enter", "Jump to the selected action", () => inspector.run("jump")),
    entry("u", "Undo", () => inspector.run("undo")),
    entry("r", "Redo", () => inspector.run("redo")),
    entry("s", "Skip the action, or unskip it", () => inspector.run("skip")),
    entry("h", "Hide this name", () => inspector.hideName()),
    entry("o", "Only this name, or all again", () => inspector.onlyName()),
    entry("/", "Search", () => inspector.search()),
    entry("f", "Choose names to show", () => inspector.names.open()),
    entry("Escape", "One step back", () => inspector.back()),
    entry("1", "Changes", () => detail.turnTo("changes")),
    entry("2", "State", () => detail.turnTo("state")),
    entry("3", "Action", () => detail.turnTo("action")),
    entry("4", "Queries, if the store has a query cache", () => detail.turnTo("queries")),
    entry("[", "The previous store", () => inspector.turnBy(-1)),
    entry("]", "The next store", () => inspector.turnBy(1)),
    entry("p", "Pause recording, or resume", () => inspector.run("pause")),
    entry("l", "Lock the state, or unlock it", () => inspector.run("lock")),
    entry("d", "Dispatch an action", () => inspector.run("dispatch")),
    entry("i", "Import", () => inspector.run("import")),
    entry("e", "Export", () => inspector.run("export")),
    entry("?", "This list", () => inspector.help.open()),
  ];
}

const signs = { ArrowDown: "↓", ArrowUp: "↑", PageDown: "Page ↓", PageUp: "Page ↑", Escape: "Esc" };

/** What one key does, or each of several. */
function entry(names, does, run) {
  const keys = names.split(" ");
  return { keys, shown: keys.map((key) => signs[key] ?? key), does, run };
}

/** What is typed into keeps its keys, save Escape. */
function takesText(element) {
  if (!element.matches("input, textarea, select")) return false;
  return !["checkbox", "range"].includes(element.type);
}

/** Listens to the keys of a table. */
export function listenToKeys(table, settings) {
  const byKey = new Map(table.flatMap((entry) => entry.keys.map((key) => [key, entry])));
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (document.querySelector("dialog[open]")) return;
    const { target, key } = event;
    const isOpen = document.querySelector("[popover]:popover-open");
    if (isOpen) return;
    if (takesText(target) && key !== "Escape") return;
    if (key.length === 1 && settings.get("letters") === "false") return;
    const isOwn = target.matches("button, [role=separator], input");
    const isInList = !isOwn && !target.closest("[role=tree], .changes, .json, .value-pane, .queries");
    // Other parts of the page have their own use for the keys that move and choose.
    if (key.length > 1 && key !== "Escape" && !isInList) return;
    const entry = byKey.get(key);
    if (!entry) return;
    event.preventDefault();
    entry.run();
  });
}
