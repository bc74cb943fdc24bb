// The changes of this browser, in a database of the browser, until a stored list contains them.
//
// All pages of a browser share the database, so a page also sends the changes of a page that was
// closed. The database numbers the changes.

import { numberOf, temporaryID } from "./replica.js";

// Boards with different addresses do not share anything.
export const name = `board ${new URL(".", location.href).pathname}`;
// The number of changes for which the database keeps the ids of the items that they added.
const ID_COUNT = 1000;

const result = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

function open() {
  const request = indexedDB.open(name, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore("changes", { keyPath: "number", autoIncrement: true });
    request.result.createObjectStore("ids");
    request.result.createObjectStore("values");
  };
  return result(request);
}

function randomName() {
  return [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

const isMade = (change) => change.version !== undefined;

export class Outbox {
  #database;
  #channel = new BroadcastChannel(name);

  // Opens the outbox. The handlers are changed(refusal), which is called when another page has changed the
  // outbox, with the reason if the server has refused a change, and closed(), which is called when a page
  // with a newer version of the outbox has been opened.
  static async open({ changed, closed }) {
    const outbox = new Outbox();
    outbox.#database = await open();
    outbox.#database.onversionchange = () => {
      outbox.#database.close();
      closed();
    };
    await outbox.#write(async ({ values }) => {
      if (!await result(values.get("client"))) values.put(randomName(), "client");
    });
    outbox.#channel.onmessage = ({ data }) => changed(data.refusal);
    return outbox;
  }

  // Runs a function with the stores of the database in a transaction. The promise is resolved when the
  // transaction has ended.
  #transact(mode, durability, work) {
    return new Promise((resolve, reject) => {
      const names = ["changes", "ids", "values"];
      const transaction = this.#database.transaction(names, mode, { durability });
      let value;
      let failure;
      transaction.oncomplete = () => resolve(value);
      transaction.onabort = () => reject(transaction.error ?? failure);
      const stores = Object.fromEntries(names.map((name) => [name, transaction.objectStore(name)]));
      work(stores).then(
        (made) => { value = made; },
        (error) => {
          failure = error;
          // The browser may have aborted the transaction already.
          try { transaction.abort(); } catch {}
        });
    });
  }

  // Runs a function with the stores. The browser reports the end of the transaction when it is on disk.
  #write(work) { return this.#transact("readwrite", "strict", work); }

  #read(work) { return this.#transact("readonly", "default", work); }

  #tell(refusal) { this.#channel.postMessage({ refusal }); }

  // Returns the name of this browser in the keys of its changes, the changes in order, and the list that a
  // page stored last.
  contents() {
    return this.#read(async ({ changes, values }) => ({
      client: await result(values.get("client")),
      changes: await result(changes.getAll()),
      view: await result(values.get("view")),
    }));
  }

  // Adds a change.
  async add(change) {
    await this.#write(async ({ changes, ids }) => {
      const number = numberOf(change.id);
      const id = number === undefined ? undefined : await result(ids.get(number));
      changes.add({ ...change, id: id ?? change.id });
    });
    this.#tell();
  }

  // Records that the server has made a change, and uses the id of an added item in the other changes.
  async confirm(change, version, id) {
    await this.#write(async ({ changes, ids }) => {
      const known = await result(changes.get(change.number));
      if (!known || isMade(known)) return;
      if (change.kind !== "add") {
        changes.put({ ...known, version });
        return;
      }
      changes.put({ ...known, version, added: id });
      ids.put(id, change.number);
      ids.delete(IDBKeyRange.upperBound(change.number - ID_COUNT));
      for (const other of await result(changes.getAll())) {
        if (other.id === temporaryID(change.number)) changes.put({ ...other, id });
      }
    });
    this.#tell();
  }

  // Removes a change that the server has refused, and the changes of the item that it would have added.
  async refuse(change, reason) {
    await this.#write(async ({ changes }) => {
      changes.delete(change.number);
      for (const other of await result(changes.getAll())) {
        if (other.id === temporaryID(change.number)) changes.delete(other.number);
      }
    });
    this.#tell(reason);
  }

  // Removes all changes that the server has not made.
  async discard() {
    await this.#write(async ({ changes }) => {
      for (const change of await result(changes.getAll())) if (!isMade(change)) changes.delete(change.number);
    });
    this.#tell();
  }

  // Gives the browser another name, unless another page has done so, or the change has been made.
  async rename(client, change) {
    await this.#write(async ({ changes, values }) => {
      const known = await result(changes.get(change.number));
      const isCurrent = await result(values.get("client")) === client;
      if (isCurrent && known && !isMade(known)) values.put(randomName(), "client");
    });
    this.#tell();
  }

  // Stores a list, and removes the changes that it contains. A newer stored list remains, unless the data
  // of the server was replaced by older data. The changes that the server has made since then are lost.
  keep(view, isReplaced) {
    return this.#transact("readwrite", "relaxed", async ({ changes, values }) => {
      const stored = await result(values.get("view"));
      if (!isReplaced && stored && stored.list.version > view.list.version) return;
      values.put(view, "view");
      for (const change of await result(changes.getAll())) {
        if (isMade(change) && (isReplaced || change.version <= view.list.version)) changes.delete(change.number);
      }
    });
  }
}
