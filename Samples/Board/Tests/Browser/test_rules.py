"""Tests of the rules of the page's replica, with random orders of messages."""

import unittest

import browser
from board import Board

ROUNDS = 3_000

# A server with one list, and a browser that receives the answers and the lists in a random order. After
# each message, the replica shows the list that it has received, with all changes of the browser on top
# that the list does not contain. `model` computes this list from the whole log.
PROGRAM = """
  const { Replica, temporaryID } = await import("./replica.js");

  // A random number generator, so that a failure can be repeated.
  const generator = (seed) => () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };

  // Makes the changes of a log, in which each item has the number of the change that added it as its id.
  function listOf(log) {
    const items = [];
    for (const { kind, id, text, done, place, name } of log) {
      if (kind === "add") items.push({ id: name, text, done: false });
      const index = items.findIndex((item) => item.id === id);
      if (kind === "add" || index < 0) continue;
      const [item] = items.splice(index, 1);
      if (kind === "edit") {
        items.splice(Math.min(place ?? index, items.length), 0,
          { ...item, text: text ?? item.text, done: done ?? item.done });
      }
    }
    return items;
  }

  function simulate(seed) {
    const random = generator(seed);
    const below = (count) => Math.floor(random() * count);
    let replica = new Replica();
    const log = [];
    const own = [];
    let [answered, received, counted] = [0, 0, 0];
    let answer;
    const isMade = (change) => log.includes(change);
    // The id of an item in a message: a number of the server.
    const idOf = (name) => log.findIndex((change) => change.name === name) + 1;

    const change = (isOwn) => {
      counted += 1;
      const items = isOwn ? listOf([...log.slice(0, received), ...own.filter((one) => !log.slice(0, received).includes(one))])
        : listOf(log);
      const made = { name: `item ${counted}`, kind: ["add", "add", "edit", "remove"][below(4)] };
      if (items.length === 0) made.kind = "add";
      if (made.kind !== "add") made.id = items[below(items.length)].id;
      if (made.kind !== "remove") made.text = `text ${counted}`;
      if (made.kind === "edit") [made.done, made.place] = [random() < 0.5, random() < 0.5 ? below(4) : undefined];
      return made;
    };
    // A change as the outbox stores it. Its id is temporary unless the outbox knows the id of the server.
    const asStored = (one, number) => {
      const source = own.findIndex((other) => other.name === one.id);
      const id = source >= answered ? temporaryID(source + 1) : idOf(one.id);
      return { number, kind: one.kind, id, text: one.text, done: one.done, place: one.place };
    };
    let outbox = [];
    let stored;

    for (let step = 0; step < 40; step += 1) {
      switch (below(7)) {
        case 0: {
          const one = change(true);
          outbox.push(asStored(one, own.push(one)));
          break;
        }
        case 1: log.push(change(false)); break;
        case 2:
          // The server makes the oldest change of the page.
          if (own[answered] && !isMade(own[answered])) log.push(own[answered]);
          break;
        case 3: {
          // The outbox records the answer.
          const one = own[answered];
          if (!one || !isMade(one)) break;
          answered += 1;
          const added = one.kind === "add" ? idOf(one.name) : undefined;
          outbox = outbox.map((change) => change.number === answered
            ? { ...change, version: log.indexOf(one) + 1, added }
            : { ...change, id: added !== undefined && change.id === temporaryID(answered) ? added : change.id });
          break;
        }
        case 4: {
          // The page receives a list, with its last change in the list.
          received += below(log.length - received + 1);
          const last = own.filter((one) => log.slice(0, received).includes(one)).length;
          const made = last > 0 && { number: last, added: own[last - 1].kind === "add" ? idOf(own[last - 1].name) : undefined };
          const items = listOf(log.slice(0, received)).map((item) => ({ ...item, id: idOf(item.id) }));
          replica.receive({ version: received, items }, made || undefined);
          break;
        }
        case 5:
          // The page stores its list, and removes the changes that the list contains.
          if (replica.list.version < 0) break;
          stored = structuredClone({ view: replica.view, received });
          outbox = outbox.filter((change) => !(change.version <= received));
          break;
        case 6:
          // The page is opened again without a connection.
          if (!stored) break;
          replica = new Replica();
          received = stored.received;
          replica.restore(structuredClone(stored.view));
      }
      replica.changes = structuredClone(outbox);
      const list = log.slice(0, received);
      const expected = listOf([...list, ...own.filter((one) => !list.includes(one))]);
      const text = (items) => JSON.stringify(items.map((item) => [item.text, item.done]));
      if (text(replica.items()) !== text(expected)) {
        return `seed ${seed}, step ${step}: the page shows ${text(replica.items())} instead of ${text(expected)}`;
      }
      if (new Set(replica.items().map((item) => item.key)).size !== expected.length) {
        return `seed ${seed}, step ${step}: two items have the same key`;
      }
    }
    return "";
  }
"""


class RulesTest(unittest.TestCase):
    def setUp(self):
        self.board = self.enterContext(Board())
        self.driver = browser.start()
        self.addCleanup(self.driver.quit)
        self.page = browser.Page(self.driver, self.board.address)

    def test_the_page_shows_each_change_once_in_every_order_of_messages(self):
        found = self.page.module(PROGRAM + f"""
            for (let seed = 1; seed <= {ROUNDS}; seed += 1) {{
              const failure = simulate(seed);
              if (failure) return failure;
            }}
            return "";
        """)
        self.assertEqual(found, "")


if __name__ == "__main__":
    unittest.main()
