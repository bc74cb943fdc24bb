// Shows the board. Changes are shown immediately, kept in the outbox, and sent when the server can be
// reached.

import { Outbox } from "./outbox.js";
import { Replica } from "./replica.js";
import { Sender } from "./sender.js";

const items = document.getElementById("items");
const state = document.getElementById("state");
const trouble = document.getElementById("trouble");
const template = document.getElementById("item");
const text = document.getElementById("text");

const replica = new Replica();
let isLost = false;
let last;

const outbox = await Outbox.open(async ({ change, version, id }) => {
  if (change) replica.confirm(change, version, id);
  await refresh();
  sender.send();
}).catch((error) => {
  state.textContent = "";
  trouble.textContent = `The board needs a browser that can store changes. ${error.message}`;
  throw error;
});

const sender = new Sender(outbox, {
  idOf: (id) => replica.idOf(id),
  confirm: (change, version, id) => replica.confirm(change, version, id),
  refuse: (reason) => { trouble.textContent = `A change was refused. ${reason}`; },
  changed: () => refresh(),
});

async function refresh() {
  replica.pending = await outbox.changes();
  show();
}

async function make(change) {
  try {
    await outbox.add({ ...change, id: replica.idOf(change.id) });
    trouble.textContent = "";
  } catch (error) {
    trouble.textContent = `The browser cannot store the change. ${error.message}`;
  }
  await refresh();
  sender.send();
}

document.getElementById("add").addEventListener("submit", (event) => {
  event.preventDefault();
  const added = text.value.trim();
  text.value = "";
  if (added) make({ kind: "add", text: added });
});

function row() {
  const row = template.content.firstElementChild.cloneNode(true);
  const [done, name, up, down, remove] = row.children;
  const edit = (change) => make({ kind: "edit", id: row.item.id, ...change });
  done.addEventListener("change", () => edit({ done: done.checked }));
  name.addEventListener("change", () => {
    const changed = name.value.trim();
    if (changed && changed !== row.item.text) edit({ text: changed });
    else name.value = row.item.text;
  });
  name.addEventListener("keydown", (event) => {
    if (event.key === "Escape") name.value = row.item.text;
  });
  const place = () => [...items.children].indexOf(row);
  up.addEventListener("click", () => edit({ place: place() - 1 }));
  down.addEventListener("click", () => edit({ place: place() + 1 }));
  remove.addEventListener("click", () => make({ kind: "remove", id: row.item.id }));
  return row;
}

function update(row, item, position, count) {
  const [done, name, up, down, remove] = row.children;
  row.classList.toggle("done", item.done);
  row.classList.toggle("pending", item.isPending === true);
  done.checked = item.done;
  done.ariaLabel = `${item.text}: done`;
  // The text that a user is typing is not replaced.
  if (document.activeElement !== name || name.value === row.item?.text) name.value = item.text;
  row.item = item;
  row.dataset.key = item.key;
  up.ariaLabel = `Move up: ${item.text}`;
  down.ariaLabel = `Move down: ${item.text}`;
  remove.ariaLabel = `Remove: ${item.text}`;
  up.disabled = position === 0;
  down.disabled = position === count - 1;
}

function show() {
  const rows = new Map([...items.children].map((row) => [row.dataset.key, row]));
  const focused = document.activeElement;
  const place = [...items.children].indexOf(focused.closest("li"));
  const shown = replica.items();
  shown.forEach((item, position) => {
    const known = rows.get(item.key) ?? row();
    rows.delete(item.key);
    if (items.children[position] !== known) items.insertBefore(known, items.children[position] ?? null);
    update(known, item, position, shown.length);
  });
  for (const row of rows.values()) row.remove();
  // A row that is moved or removed loses the focus. The focus returns to the row, or to the row that
  // is now in its place.
  if (focused !== document.activeElement) {
    const next = items.children[Math.min(place, items.children.length - 1)];
    if (focused.isConnected && !focused.disabled) focused.focus();
    else (next?.querySelector(".remove") ?? text).focus();
  }
  describe(shown);
}

function describe(shown) {
  const done = shown.filter((item) => item.done).length;
  const pending = replica.pending.length;
  const parts = [];
  if (replica.list.version < 0) parts.push("Connecting…");
  else parts.push(shown.length === 0 ? "Nothing to do." : `${shown.length - done} of ${shown.length} to do.`);
  if (pending) parts.push(pending === 1 ? "1 change is not saved yet." : `${pending} changes are not saved yet.`);
  if (isLost) parts.push("The server cannot be reached. Changes are kept, and saved later.");
  state.textContent = parts.join(" ");
}

// The list of the last visit is shown until the server sends a list.
const kept = await outbox.lastList();
if (kept) replica.receive(kept);
await refresh();

// Milliseconds.
const PAUSE = 5000;

function follow() {
  const events = new EventSource(`events?client=${outbox.client}`);
  events.onopen = () => {
    isLost = false;
    sender.send();
    // The server does not send a list again that the page has.
    show();
  };
  events.addEventListener("made", (event) => { last = JSON.parse(event.data); });
  events.onmessage = (event) => {
    replica.receive(JSON.parse(event.data), last);
    last = undefined;
    show();
    keepList();
  };
  events.onerror = () => {
    isLost = true;
    show();
    // The browser reconnects after a lost connection, but not after the answer of a proxy, for example.
    if (events.readyState === EventSource.CLOSED) setTimeout(follow, PAUSE);
  };
}

follow();

let isKeeping = false;

// Stores the newest list. Lists that arrive during a write are stored together.
async function keepList() {
  if (isKeeping) return;
  isKeeping = true;
  try {
    for (let stored; stored !== replica.list;) {
      stored = replica.list;
      await outbox.keep(stored);
    }
  } catch {
    // The list is only a copy.
  } finally {
    isKeeping = false;
  }
}

// Without a connection, the page itself comes from this worker.
navigator.serviceWorker?.register("worker.js").catch(() => {});
