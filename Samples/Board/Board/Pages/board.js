// Shows the board. Changes are shown immediately, kept in the outbox, and sent when the server can be
// reached.

import { Outbox } from "./outbox.js";
import { Replica } from "./replica.js";
import { Sender } from "./sender.js";

const items = document.getElementById("items");
const state = document.getElementById("state");
const trouble = document.getElementById("trouble");
const discard = document.getElementById("discard");
const template = document.getElementById("item");
const text = document.getElementById("text");
// Milliseconds.
const PAUSE = 5000;

const replica = new Replica();
let outbox;
let sender;
let events;
let isLost = false;

const starting = start().catch((error) => {
  state.textContent = "";
  trouble.textContent = `The board needs a browser that can store changes. ${error.message}`;
  throw error;
});

async function start() {
  outbox = await Outbox.open(async (refusal, isRenamed) => {
    if (isRenamed) renamed();
    await changed(refusal);
    sender.send();
  });
  sender = new Sender(outbox, { changed, failed, renamed });
  // The list of the last visit is shown until the server sends a list.
  const view = await outbox.view();
  if (view) replica.restore(view);
  await changed();
  follow();
  // A hidden page needs no connection, of which a browser has few for a server.
  document.addEventListener("visibilitychange", () => document.hidden ? events.close() : follow());
  // The browser may otherwise remove the data when it needs space.
  navigator.storage?.persist?.().catch(() => {});
  // Without a connection, the page itself comes from this worker.
  navigator.serviceWorker?.register("worker.js").catch(() => {});
}

// Shows the changes of the outbox, of which the server may have refused one.
async function changed(refusal) {
  if (refusal) trouble.textContent = `A change was refused. ${refusal}`;
  replica.changes = await outbox.changes();
  show();
}

// Follows the lists with the new name of the browser.
function renamed() {
  replica.renamed();
  follow();
}

// Shows the reason why changes cannot be sent, or no reason if they were sent.
function failed(reason) {
  if (reason) trouble.textContent = `Changes cannot be saved. ${reason}`;
  else if (!discard.hidden) trouble.textContent = "";
  discard.hidden = !reason;
}

// Makes a change, and returns whether it was stored.
async function make(change) {
  try {
    await starting;
    await outbox.add(change);
    trouble.textContent = "";
  } catch (error) {
    trouble.textContent = `The browser cannot store the change. ${error.message}`;
    show();
    return false;
  }
  await changed();
  sender.send();
  return true;
}

document.getElementById("add").addEventListener("submit", async (event) => {
  event.preventDefault();
  const written = text.value;
  const added = written.trim();
  if (added && await make({ kind: "add", text: added }) && text.value === written) text.value = "";
});

discard.addEventListener("click", async () => {
  await outbox.discard();
  failed();
  await changed();
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
  const pending = replica.changes.filter((change) => change.version === undefined).length;
  const parts = [];
  if (replica.list.version < 0) parts.push("Connecting…");
  else parts.push(shown.length === 0 ? "Nothing to do." : `${shown.length - done} of ${shown.length} to do.`);
  if (pending) parts.push(pending === 1 ? "1 change is not saved yet." : `${pending} changes are not saved yet.`);
  if (isLost) parts.push("The server cannot be reached. Changes are kept, and saved later.");
  state.textContent = parts.join(" ");
}

// Follows the lists of the server.
function follow() {
  events?.close();
  const address = new URL("events", location.href);
  address.searchParams.set("client", outbox.client);
  // The server sends only newer lists.
  if (replica.list.version >= 0) address.searchParams.set("after", replica.list.version);
  const stream = events = new EventSource(address);
  let last;
  stream.onopen = () => {
    last = undefined;
    isLost = false;
    sender.send();
    show();
  };
  stream.addEventListener("made", (event) => { last = JSON.parse(event.data); });
  stream.onmessage = (event) => {
    replica.receive(JSON.parse(event.data), last);
    last = undefined;
    show();
    keepView();
  };
  stream.onerror = () => {
    isLost = true;
    show();
    // The browser reconnects after a lost connection, but not after the answer of a proxy, for example.
    if (stream.readyState === EventSource.CLOSED) setTimeout(() => { if (stream === events) follow(); }, PAUSE);
  };
}

let isKeeping = false;

// Stores the newest list. Lists that arrive during a write are stored together.
async function keepView() {
  if (isKeeping) return;
  isKeeping = true;
  try {
    for (let stored; stored !== replica.list;) {
      stored = replica.list;
      await outbox.keep(replica.view);
    }
  } catch {
    // The changes remain in the outbox until a list is stored.
  } finally {
    isKeeping = false;
  }
}
