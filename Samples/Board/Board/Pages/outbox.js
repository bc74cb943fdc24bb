// The changes of this browser that the server has not acknowledged, in a database of the browser.
//
// All pages of a browser share the database, so a page also sends the changes of a page that was
// closed. The database numbers the changes, and never uses a number twice.

import { temporaryID } from "./replica.js";

const result = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

function open() {
  const request = indexedDB.open("board", 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore("changes", { keyPath: "number", autoIncrement: true });
    request.result.createObjectStore("values");
  };
  return result(request);
}

function randomName() {
  return [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export class Outbox {
  #database;
  #channel = new BroadcastChannel("board");
  // The name of this browser in the keys of its changes.
  client;

  // Opens the outbox. The closure is called when another page has changed the outbox, with the change
  // that the server has acknowledged, if there is one.
  static async open(onChange) {
    const outbox = new Outbox();
    outbox.#database = await open();
    outbox.client = await outbox.#write("values", async (values) => {
      const known = await result(values.get("client"));
      if (known) return known;
      const name = randomName();
      values.put(name, "client");
      return name;
    });
    outbox.#channel.onmessage = (message) => onChange(message.data);
    return outbox;
  }

  // Runs a function with a store of the database. The promise is resolved when the changes are on disk.
  #transact(store, mode, work) {
    return new Promise((resolve, reject) => {
      const transaction = this.#database.transaction(store, mode, { durability: "strict" });
      let value;
      transaction.oncomplete = () => resolve(value);
      transaction.onabort = () => reject(transaction.error);
      work(transaction.objectStore(store)).then((made) => { value = made; }, () => transaction.abort());
    });
  }

  #write(store, work) { return this.#transact(store, "readwrite", work); }

  #read(store, work) { return this.#transact(store, "readonly", work); }

  // Returns the changes in order.
  changes() { return this.#read("changes", (changes) => result(changes.getAll())); }

  // Adds a change, and returns the change with its number.
  async add(change) {
    const number = await this.#write("changes", (changes) => result(changes.add(change)));
    this.#channel.postMessage({});
    return { ...change, number };
  }

  // Removes a change that the server has made, and uses the id of its item in the other changes.
  async confirm(change, version, id) {
    const temporary = temporaryID(change.number);
    await this.#write("changes", async (changes) => {
      for (const other of await result(changes.getAll())) {
        if (other.id === temporary && id !== undefined) changes.put({ ...other, id });
      }
      changes.delete(change.number);
    });
    this.#channel.postMessage({ change, version, id });
  }

  // Removes a change that the server has refused, and the changes of the item that it would have added.
  async drop(change) {
    const temporary = temporaryID(change.number);
    await this.#write("changes", async (changes) => {
      for (const other of await result(changes.getAll())) if (other.id === temporary) changes.delete(other.number);
      changes.delete(change.number);
    });
    this.#channel.postMessage({});
  }

  // The list that the server sent last, which a page shows while the server cannot be reached.
  lastList() { return this.#read("values", (values) => result(values.get("list"))); }

  keep(list) { return this.#write("values", async (values) => { values.put(list, "list"); }); }
}
