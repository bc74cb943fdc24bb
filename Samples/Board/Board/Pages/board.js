// Shows the board. Changes are shown immediately, kept in the outbox, and sent when the server can be
// reached.

import { Outbox } from "./outbox.js";
import { Replica } from "./replica.js";
import { Sender } from "./sender.js";

const items = document.getElementById("items");
const state = document.getElementById("state");
const trouble = document.getElementById("trouble");
const failure = document.getElementById("failure");
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
let isKeeping = false;
// A Boolean value that indicates whether the stored list is from data that the server no longer has.
let isReplaced = false;
// The key of the item that the user of this page has removed.
let removed;
// The number of changes that are being stored.
let storing = 0;

const starting = start().catch((error) => {
  state.textContent = "";
  trouble.textContent = `The board needs a browser that can store changes. ${error.message}`;
  throw error;
});

async function start() {
  outbox = await Outbox.open({
    changed: (refusal) => changed(refusal).then(() => sender.send()).catch(report),
    closed: () => { trouble.textContent = "This page is out of date. Reload it."; },
  });
  sender = new Sender(outbox, { changed, failed });
  await changed();
  // A hidden page needs no connection, and a browser allows only a few for each server.
  document.addEventListener("visibilitychange", follow);
  // The browser may otherwise remove the data when it needs space.
  navigator.storage?.persist?.().catch(() => {});
  // Without a connection, the page itself comes from this worker.
  navigator.serviceWorker?.register("worker.js").catch(() => {});
}

function report(error) {
  trouble.textContent = `The stored changes cannot be read. ${error.message}`;
}

// Shows the contents of the outbox. The server may have refused a change, which the outbox no longer contains.
async function changed(refusal) {
  if (refusal) trouble.textContent = `A change was refused. ${refusal}`;
  const { client, changes, view } = await outbox.contents();
  const isRenamed = client !== replica.client;
  if (isRenamed) replica.rename(client);
  if (view && !isReplaced) replica.restore(view);
  replica.changes = changes;
  show();
  if (isRenamed) follow();
}

// Shows the reason why the server does not accept changes, or no reason if it has accepted them.
function failed(reason) {
  failure.textContent = reason ? `The server does not accept changes at present. ${reason}` : "";
  discard.hidden = !reason;
}

// Makes a change, and returns whether it was stored. The list is busy until it shows the change.
async function make(change) {
  trouble.textContent = "";
  setBusy(1);
  try {
    await starting;
    await outbox.add(change);
    await changed().catch(report);
  } catch (error) {
    trouble.textContent = `The browser cannot store the change. ${error.message}`;
    show();
    return false;
  } finally {
    setBusy(-1);
  }
  sender.send();
  return true;
}

function setBusy(more) {
  storing += more;
  items.ariaBusy = String(storing > 0);
}

document.getElementById("add").addEventListener("submit", async (event) => {
  event.preventDefault();
  const added = text.value.trim();
  text.value = "";
  if (added && !await make({ kind: "add", text: added }) && !text.value) text.value = added;
});

discard.addEventListener("click", async () => {
  try {
    await outbox.discard();
    failed();
    await changed();
  } catch (error) {
    report(error);
  }
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
  remove.addEventListener("click", () => {
    removed = row.dataset.key;
    make({ kind: "remove", id: row.item.id });
  });
  return row;
}

function update(row, item, focused, position, count) {
  const [done, name, up, down, remove] = row.children;
  row.classList.toggle("done", item.done);
  row.classList.toggle("pending", item.isPending === true);
  done.checked = item.done;
  done.ariaLabel = `${item.text}: done`;
  // The text that a user is typing is not replaced.
  if (focused !== name || name.value === row.item?.text) name.value = item.text;
  row.item = item;
  row.dataset.key = item.key;
  up.ariaLabel = `Move up: ${item.text}`;
  down.ariaLabel = `Move down: ${item.text}`;
  remove.ariaLabel = `Remove: ${item.text}`;
  up.disabled = position === 0;
  down.disabled = position === count - 1;
}

function show() {
  const focused = document.activeElement;
  const focusedRow = focused.closest("li");
  const shown = replica.items();
  const rows = new Map([...items.children].map((row) => [row.dataset.key, row]));
  const next = focusedRow?.nextElementSibling ?? focusedRow?.previousElementSibling;
  const keys = new Set(shown.map((item) => item.key));
  for (const [key, row] of rows) if (!keys.has(key)) row.remove();
  shown.forEach((item, position) => {
    const known = rows.get(item.key) ?? row();
    if (known === focusedRow) {
      // The row with the focus stays in its place, because a row that is moved loses the focus.
      while (items.children[position] !== known) items.append(items.children[position]);
    } else if (items.children[position] !== known) {
      items.insertBefore(known, items.children[position] ?? null);
    }
    update(known, item, focused, position, shown.length);
  });
  keepFocus(focused, focusedRow, next);
  describe(shown);
}

// Moves the focus to an element that does no harm if its element was removed or disabled.
function keepFocus(focused, row, next) {
  if (!row || row.isConnected && !focused.disabled) return;
  if (row.isConnected) return row.querySelector(".text").focus();
  const isOwn = row.dataset.key === removed;
  if (isOwn && next?.isConnected) next.querySelector(".remove").focus();
  else if (isOwn) text.focus();
  else items.focus();
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

// Follows the lists of the server while the page is visible.
function follow() {
  events?.close();
  if (document.hidden) return;
  const address = new URL("events", location.href);
  address.searchParams.set("client", replica.client);
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
    const isReplaced = replica.receive(JSON.parse(event.data), last);
    last = undefined;
    show();
    keepView(isReplaced);
  };
  stream.onerror = () => {
    isLost = true;
    show();
    // The browser reconnects after a lost connection, but not after an error from a proxy, for example.
    if (stream.readyState === EventSource.CLOSED) setTimeout(() => { if (stream === events) follow(); }, PAUSE);
  };
}

// Stores the newest list. Lists that arrive during a write are stored together.
async function keepView(isOlder) {
  isReplaced ||= isOlder;
  if (isKeeping) return;
  isKeeping = true;
  try {
    for (let stored; stored !== replica.list;) {
      stored = replica.list;
      await outbox.keep(replica.view, isReplaced);
      if (!isReplaced) continue;
      isReplaced = false;
      await changed();
    }
  } catch {
    // The changes remain in the outbox until a list is stored.
  } finally {
    isKeeping = false;
  }
}
