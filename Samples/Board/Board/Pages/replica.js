// The list that the page shows: the list of the server, with this browser's changes made on top.
//
// A change is {number, kind, id, text, done, place}. Its kind is "add", "edit", or "remove". An item
// that is not saved yet has the id "new-7", where 7 is the number of the change that adds it.

// Returns a text for the id of the item that a change adds, until the server has assigned an id.
export const temporaryID = (number) => `new-${number}`;

export class Replica {
  // The server's list.
  list = { version: -1, items: [] };
  // The changes that are not saved yet, in order.
  pending = [];
  // The changes that the server has made, with their versions, until the list contains them.
  #made = [];
  // The number of the last change that the list contains.
  #contained = 0;
  // The ids that the server has assigned to items, by their temporary ids, and the reverse.
  #ids = new Map();
  #keys = new Map();

  // Receives a list. The last change of this browser that the list contains may precede the list.
  receive(list, last) {
    if (last) {
      this.#contained = Math.max(this.#contained, last.number);
      this.#assign(last.added, last.number);
    }
    this.list = list;
    this.#made = this.#made.filter((change) => change.version > list.version);
  }

  // Records that the server has made a change, and has assigned an id to the item that it adds.
  confirm(change, version, id) {
    if (change.kind === "add") this.#assign(id, change.number);
    if (version > this.list.version) this.#made.push({ ...change, version });
  }

  #assign(id, number) {
    if (id === undefined) return;
    this.#ids.set(temporaryID(number), id);
    this.#keys.set(id, temporaryID(number));
  }

  // Returns the id of the server for a temporary id, if the server has assigned one.
  idOf(id) { return this.#ids.get(id) ?? id; }

  // Returns the items in order. An item with a change that is not saved yet is pending. The key of an
  // item stays the same when the server assigns an id.
  items() {
    const items = this.list.items.map((item) => ({ ...item }));
    const changes = new Map([...this.#made, ...this.pending].map((change) => [change.number, change]));
    for (const number of [...changes.keys()].sort((one, other) => one - other)) {
      if (number > this.#contained) this.#make(changes.get(number), items);
    }
    for (const item of items) item.key = String(this.#keys.get(item.id) ?? item.id);
    return items;
  }

  #make(change, items) {
    if (change.kind === "add") {
      const id = this.idOf(temporaryID(change.number));
      items.push({ id, text: change.text, done: false, isPending: true });
      return;
    }
    const place = items.findIndex((item) => item.id === this.idOf(change.id));
    if (place < 0) return;
    const [item] = items.splice(place, 1);
    if (change.kind === "remove") return;
    const changed = { ...item, text: change.text ?? item.text, done: change.done ?? item.done, isPending: true };
    items.splice(Math.min(change.place ?? place, items.length), 0, changed);
  }
}
