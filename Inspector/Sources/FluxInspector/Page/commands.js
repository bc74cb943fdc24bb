// What a person can have the history do: names, keys, and why something cannot be done now.

import { counted } from "./text.js";

const selected = (store) => store.log.entry(store.shown);

// `whyNot` tells why a command cannot be carried out, or null. `command` is the protocol's name of it, sent
// with the selected entry if `ofEntry` says so. `when` tells what it is instead in some state of the store.
// `ask` makes the question that is answered first, before what cannot be taken back.

const undo = {
  id: "undo",
  label: "Undo",
  key: "u",
  command: "undo",
  hint: "Undo the last step",
  whyNot: ({ log }) => (log.canUndo ? null : "There is nothing to undo."),
};

const redo = {
  id: "redo",
  label: "Redo",
  key: "r",
  command: "redo",
  hint: "Redo the step that was undone last",
  whyNot: ({ log }) => (log.canRedo ? null : "There is nothing to redo."),
};

const jump = {
  id: "jump",
  label: "Jump",
  key: "Enter",
  command: "jump",
  ofEntry: true,
  hint: "Go to the state after the selected action; later actions are kept as a branch if the program continues",
  whyNot({ selection, shown, log }) {
    if (selection === null) return "Select another action first: the current action needs no jump.";
    return shown === log.current ? "This is already the current state." : null;
  },
};

const skip = {
  id: "skip",
  label: "Skip",
  key: "s",
  command: "skip",
  ofEntry: true,
  hint: "Skip the selected action, and recompute the states after it",
  whyNot: ({ shown }) => (shown === 0 ? "Select an action first: the base cannot be skipped." : null),
  when: (store) => selected(store)?.isSkipped
    ? { label: "Unskip", command: "unskip", symbol: "unskip", hint: "Restore the selected action" } : null,
};

const commit = {
  id: "commit",
  label: "Commit",
  command: "commit",
  hint: "Make the current state the base, and clear the log",
  whyNot: ({ log }) => (log.entries.length === 0 ? "The log is empty: there is nothing to commit." : null),
  ask: ({ log }) => `The current state becomes the base. ${forgets(log)}`,
};

const rollback = {
  id: "rollback",
  label: "Roll back",
  command: "rollback",
  hint: "Return to the base, and clear the log",
  ask: ({ log }) => `The state returns to the base. ${forgets(log)}`,
};

const reset = {
  id: "reset",
  label: "Reset",
  command: "reset",
  hint: "Return to the initial state of the store, and clear the log",
  ask: ({ log }) => `The state returns to the initial state of the store. ${forgets(log)}`,
};

const pause = {
  id: "pause",
  label: "Pause",
  key: "p",
  command: "pause",
  hint: "Stop recording; actions still change the state",
  when: ({ log }) => log.isPaused
    ? { label: "Resume", command: "resume", symbol: "resume", isOn: true, hint: "Record again" } : null,
};

const lock = {
  id: "lock",
  label: "Lock",
  key: "l",
  command: "lock",
  hint: "Prevent the program's actions from changing the state",
  when: ({ log }) => log.isLocked
    ? { label: "Unlock", command: "unlock", symbol: "unlock", isOn: true,
      hint: `Unlock the state; ${counted(log.refused, "action")} refused so far` } : null,
};

const dispatch = {
  id: "dispatch",
  label: "Dispatch…",
  key: "d",
  hint: "Dispatch an action manually",
  whyNot({ actions, log }) {
    if (actions.length === 0) return "The program has not registered any actions.";
    return log.isLocked ? "The history is locked, so it would refuse the action." : null;
  },
};

const importing = {
  id: "import",
  label: "Import…",
  key: "i",
  hint: "Load an exported history; a file can also be dropped on the page",
  whyNot: ({ canExport }) => (canExport ? null : "The program does not allow imports into this store."),
};

const exporting = {
  id: "export",
  label: "Export",
  key: "e",
  hint: "Save the history as a file",
  whyNot: ({ canExport }) => (canExport ? null : "The program does not allow exports of this store."),
};

/** The commands, in the groups in which their buttons stand. */
export const groups = [
  [undo, redo], [jump, skip], [commit, rollback, reset], [pause, lock], [dispatch, importing, exporting],
];

/** The commands by their names. */
export const commands = new Map(groups.flat().map((command) => [command.id, command]));

function forgets({ entries }) {
  if (entries.length === 0) return "The log is already empty.";
  return `The log loses ${counted(entries.length, "action")}. You cannot undo this. `
    + "To keep a copy, export the history.";
}

/** Why a command does nothing in a crash report. */
export const onlyRead = "A crash report can only be read.";

/** A command as it is now: its label, what it does, and why it cannot be done, or null. */
export function atPresent(command, store, isConnected) {
  const now = { symbol: command.id, isOn: false, ...command, ...(store && command.when?.(store)) };
  return { ...now, reason: reason(command, store, isConnected) };
}

function reason(command, store, isConnected) {
  if (!isConnected) return "There is no connection to the program.";
  if (!store) return "There is no store.";
  if (store.isGone) return "This store has been released.";
  if (store.report && command !== exporting) return onlyRead;
  return command.whyNot?.(store) ?? null;
}
