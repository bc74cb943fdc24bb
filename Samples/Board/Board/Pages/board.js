// Shows the board as the server tells of it, and asks the server for what is changed here. Nothing is shown that the
// server has not told: it does so when the change is on disk.

const items = document.getElementById("items");
const state = document.getElementById("state");
const trouble = document.getElementById("trouble");
const template = document.getElementById("item");
const text = document.getElementById("text");

async function ask(method, path, body) {
  try {
    const response = await fetch(path, {
      method,
      headers: body ? { "Content-Type": "application/json" } : {},
      body: body && JSON.stringify(body),
    });
    const answer = await response.json();
    trouble.textContent = response.ok ? "" : answer.error;
    return response.ok;
  } catch {
    trouble.textContent = "The server cannot be reached. The change was probably not saved.";
    return false;
  }
}

document.getElementById("add").addEventListener("submit", async (event) => {
  event.preventDefault();
  const sent = text.value;
  if (await ask("POST", "items", { text: sent }) && text.value === sent) text.value = "";
});

function row(id) {
  const row = template.content.firstElementChild.cloneNode(true);
  const [done, name, up, down, remove] = row.children;
  const path = `items/${id}`;
  row.dataset.id = id;
  done.addEventListener("change", async () => {
    if (!await ask("PATCH", path, { done: done.checked })) done.checked = !done.checked;
  });
  name.addEventListener("change", async () => {
    if (!await ask("PATCH", path, { text: name.value })) name.value = name.dataset.told;
  });
  name.addEventListener("keydown", (event) => {
    if (event.key === "Escape") name.value = name.dataset.told;
  });
  const place = () => [...items.children].indexOf(row);
  up.addEventListener("click", () => ask("PATCH", path, { place: place() - 1 }));
  down.addEventListener("click", () => ask("PATCH", path, { place: place() + 1 }));
  remove.addEventListener("click", () => ask("DELETE", path));
  return row;
}

function tell(row, item, position, count) {
  const [done, name, up, down, remove] = row.children;
  row.classList.toggle("done", item.done);
  done.checked = item.done;
  done.ariaLabel = `${item.text}: done`;
  // What is being typed is not taken away.
  if (document.activeElement !== name || name.value === name.dataset.told) name.value = item.text;
  name.dataset.told = item.text;
  up.ariaLabel = `Move up: ${item.text}`;
  down.ariaLabel = `Move down: ${item.text}`;
  remove.ariaLabel = `Remove: ${item.text}`;
  up.disabled = position === 0;
  down.disabled = position === count - 1;
}

function show(board) {
  const rows = new Map([...items.children].map((row) => [row.dataset.id, row]));
  const focused = document.activeElement;
  const place = [...items.children].indexOf(focused.closest("li"));
  board.items.forEach((item, position) => {
    const known = rows.get(String(item.id));
    rows.delete(String(item.id));
    const now = known ?? row(item.id);
    if (items.children[position] !== now) items.insertBefore(now, items.children[position] ?? null);
    tell(now, item, position, board.items.length);
  });
  for (const row of rows.values()) row.remove();
  // To move a row takes the focus from it, and to remove it too: then what stands in its place has it.
  if (focused !== document.activeElement) {
    const next = items.children[Math.min(place, items.children.length - 1)];
    if (focused.isConnected && !focused.disabled) focused.focus();
    else (next?.querySelector(".remove") ?? text).focus();
  }
  count();
}

function count() {
  const [all, done] = [items.children.length, items.querySelectorAll(".done").length];
  state.textContent = all === 0 ? "Nothing to do." : `${all - done} of ${all} to do.`;
}

const events = new EventSource("events");
// What stands here already is not sent again.
events.onopen = () => { trouble.textContent = ""; count(); };
events.onmessage = (event) => show(JSON.parse(event.data));
events.onerror = () => { state.textContent = "The connection was lost. Reconnecting…"; };
