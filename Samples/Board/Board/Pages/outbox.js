// The changes of this browser, in a database of the browser, until a stored list contains them.
//
// All pages of a browser share the database, so a page also sends the changes of a page that was
// closed. The database numbers the changes.

import { temporaryID } from "./replica.js";

// Boards with different addresses do not share anything.
export const name = `board ${new URL(".", location.href).pathname}`;
// The number of the newest temporary ids for which the database contains the ids of the server.
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
  // The name of this browser in the keys of its changes.
  client;

  // Opens the outbox. The closure is called when another page has changed the outbox, with the reason if
  // the server has refused a change, and with whether the browser has a new name.
  static async open(onChange) {
    const outbox = new Outbox();
    outbox.#database = await open();
    // A page with a newer version of the database can then open it.
    outbox.#database.onversionchange = () => outbox.#database.close();
    await outbox.#write(async ({ values }) => {
      outbox.client = await result(values.get("client"));
      if (!outbox.client) values.put(outbox.client = randomName(), "client");
    });
    outbox.#channel.onmessage = ({ data }) => {
      const isRenamed = data.client !== outbox.client;
      outbox.client = data.client;
      onChange(data.refusal, isRenamed);
    };
    return outbox;
  }

  // Runs a function with the stores of the database in a transaction. The promise is resolved when the
  // browser reports that the changes are on disk.
  #transact(mode, durability, work) {
    return new Promise((resolve, reject) => {
      const names = ["changes", "ids", "values"];
      const transaction = this.#database.transaction(names, mode, { durability });
      let value;
      let failure;
      transaction.oncomplete = () => resolve(value);
      transaction.onabort = () => reject(failure ?? transaction.error);
      const stores = Object.fromEntries(names.map((name) => [name, transaction.objectStore(name)]));
      work(stores).then(
        (made) => { value = made; },
        (error) => {
          failure = error;
          transaction.abort();
        });
    });
  }

  #write(work) { return this.#transact("readwrite", "strict", work); }

  #read(work) { return this.#transact("readonly", "default", work); }

  #tell(refusal) { this.#channel.postMessage({ client: this.client, refusal }); }

  // Returns the changes in order.
  changes() { return this.#read(({ changes }) => result(changes.getAll())); }

  // Adds a change.
  async add(change) {
    await this.#write(async ({ changes, ids }) => {
      const id = typeof change.id === "string" ? await result(ids.get(change.id)) : undefined;
      changes.add({ ...change, id: id ?? change.id });
    });
    this.#tell();
  }

  // Records that the server has made a change, and uses the id of an added item in the other changes.
  async confirm(change, version, id) {
    const temporary = temporaryID(change.number);
    await this.#write(async ({ changes, ids }) => {
      const known = await result(changes.get(change.number));
      if (!known || isMade(known)) return;
      if (change.kind !== "add") {
        changes.put({ ...known, version });
        return;
      }
      changes.put({ ...known, version, added: id });
      ids.put(id, temporary);
      ids.delete(temporaryID(change.number - ID_COUNT));
      for (const other of await result(changes.getAll())) if (other.id === temporary) changes.put({ ...other, id });
    });
    this.#tell();
  }

  // Removes a change that the server has refused, and the changes of the item that it would have added.
  async refuse(change, reason) {
    const temporary = temporaryID(change.number);
    await this.#write(async ({ changes }) => {
      changes.delete(change.number);
      for (const other of await result(changes.getAll())) if (other.id === temporary) changes.delete(other.number);
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

  // Gives the browser a new name, unless a change has been made in the meantime.
  async rename(change) {
    const client = randomName();
    const isRenamed = await this.#write(async ({ changes, values }) => {
      const known = await result(changes.get(change.number));
      if (!known || isMade(known)) return false;
      values.put(client, "client");
      return true;
    });
    if (!isRenamed) return;
    this.client = client;
    this.#tell();
  }

  // The list that the page showed last, which a page shows until the server sends a list.
  view() { return this.#read(({ values }) => result(values.get("view"))); }

  // Stores a list, and removes the changes that it contains.
  keep(view) {
    return this.#transact("readwrite", "relaxed", async ({ changes, values }) => {
      values.put(view, "view");
      for (const { number, version } of await result(changes.getAll())) {
        if (version <= view.list.version) changes.delete(number);
      }
    });
  }
}
