// The list that the page shows: the list of the server, with this browser's changes made on top.
//
// A change is {number, kind, id, text, done, place, version, added}. Its kind is "add", "edit", or
// "remove". After the server has made the change, it has a version, and for an addition the id of the
// item that was added. Until then, the item has the id "new-7", where 7 is the number of the change.

export const temporaryID = (number) => `new-${number}`;

// Returns the number of the change that adds the item with a temporary id.
export const numberOf = (id) => typeof id === "string" ? Number(id.slice("new-".length)) : undefined;

export class Replica {
  // The name of the browser in the keys of its changes.
  client;
  // The server's list.
  list = { version: -1, items: [] };
  #changes = [];
  // The number of the last change of this browser that the list contains.
  #contained = 0;
  // The ids that the server has assigned to items, by their temporary ids, and the reverse.
  #ids = new Map();
  #keys = new Map();

  // The changes in order, without changes that a stored list contains.
  get changes() { return this.#changes; }

  set changes(changes) {
    this.#changes = changes;
    for (const { number, added } of changes) this.#assign(added, number);
  }

  // Receives a list, and returns whether the data of the server was replaced by older data. The last change
  // of this browser that the list contains may precede the list.
  receive(list, last) {
    const isReplaced = list.version < this.list.version;
    if (isReplaced) this.#contained = 0;
    if (last) {
      this.#contained = Math.max(this.#contained, last.number);
      this.#assign(last.added, last.number);
    }
    this.list = list;
    return isReplaced;
  }

  // What the browser stores, and restores when the page is opened again. The ids are those of added items
  // whose answers the browser may not have received.
  get view() {
    const numbers = this.#changes.map((change) => change.number).filter((number) => this.#ids.has(temporaryID(number)));
    const ids = numbers.map((number) => [number, this.#ids.get(temporaryID(number))]);
    return { client: this.client, list: this.list, contained: this.#contained, ids };
  }

  // Shows a list that the browser has stored, unless the replica has a newer one.
  restore({ client, list, contained, ids }) {
    if (list.version <= this.list.version) return;
    this.list = list;
    if (client !== this.client) return;
    this.#contained = contained;
    for (const [number, id] of ids) this.#assign(id, number);
  }

  // Uses another name in the keys of the changes, because the numbers were used for other changes.
  rename(client) {
    this.client = client;
    this.#contained = 0;
    this.#ids.clear();
    this.#keys.clear();
    this.changes = this.#changes;
  }

  #assign(id, number) {
    if (id === undefined) return;
    this.#ids.set(temporaryID(number), id);
    this.#keys.set(id, temporaryID(number));
  }

  // Returns the id of the server for a temporary id, if the server has assigned one.
  #idOf(id) { return this.#ids.get(id) ?? id; }

  // Returns the items in order. An item with a change that the list does not contain is pending. The key
  // of an item stays the same when the server assigns an id.
  items() {
    const items = this.list.items.map((item) => ({ ...item }));
    for (const change of this.#changes) {
      if (change.number > this.#contained && !(change.version <= this.list.version)) this.#make(change, items);
    }
    for (const item of items) item.key = String(this.#keys.get(item.id) ?? item.id);
    return items;
  }

  #make(change, items) {
    if (change.kind === "add") {
      const id = this.#idOf(temporaryID(change.number));
      items.push({ id, text: change.text, done: false, isPending: true });
      return;
    }
    const place = items.findIndex((item) => item.id === this.#idOf(change.id));
    if (place < 0) return;
    const [item] = items.splice(place, 1);
    if (change.kind === "remove") return;
    const changed = { ...item, text: change.text ?? item.text, done: change.done ?? item.done, isPending: true };
    items.splice(Math.min(change.place ?? place, items.length), 0, changed);
  }
}
