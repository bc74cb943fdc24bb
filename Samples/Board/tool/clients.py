"""The clients of a board: writers, which change items, and listeners, which follow the events."""
import asyncio, json, re, secrets, time
from connections import Broken, Events, Lost, Requests

NAME = re.compile(r"writer (\d+) step (\d+)")


class Writer:
    """Repeatedly adds, edits, marks, moves, and removes an item, and records the acknowledged changes.

    The text of the item contains the number of the step. The writer sends one request at a time, so
    after a kill, only one change can be uncertain. Every second writer gives its changes keys, and
    repeats a lost request until the request is answered.
    """

    def __init__(self, number, load):
        self.number, self.load = number, load
        self.step, self.version = 0, 0
        # The acknowledged item, (id, text, done) or None, and the item that an unacknowledged change
        # might have made.
        self.known, self.possible = None, None
        self.name, self.changes = secrets.token_hex(8) if number % 2 else None, 0
        # The arguments of a change with a key whose answer was lost, and whether the board has made it.
        self.unanswered, self.isMade = None, False

    def text(self):
        self.step += 1
        return f"writer {self.number} step {self.step}"

    async def run(self):
        turn = self.number
        while not self.load.isOver or self.unanswered:
            try:
                await self.load.mayWrite.wait()
                connection = await Requests.open(self.load.port(self))
                if not self.load.mayWrite.is_set():
                    connection.close()
                    continue
                if self.unanswered:
                    await self.send(connection, *self.unanswered)
                    self.load.repeated += 1
                else:
                    await self.load.settle(connection)
                await self.check(connection)
                while not self.load.isOver:
                    await self.act(connection, turn)
                    turn += 1
                connection.close()
            except Lost:
                await asyncio.sleep(0.05)

    async def act(self, connection, turn):
        if self.known is None:
            text = self.text()
            await self.change(connection, "POST", "/items", {"text": text}, (None, text, False))
            return
        id, text, done = self.known
        path = f"/items/{id}"
        match turn % 5:
            case 0 | 1:
                text = self.text()
                await self.change(connection, "PATCH", path, {"text": text}, (id, text, done))
            case 2:
                await self.change(connection, "PATCH", path, {"done": not done}, (id, text, not done))
            case 3:
                text = self.text()
                await self.change(connection, "PATCH", path, {"place": 0, "text": text}, (id, text, done))
            case 4:
                await self.change(connection, "DELETE", path, None, None)

    async def change(self, connection, method, path, body, wanted):
        self.possible = (wanted,)
        request = (method, path, body, wanted, time.monotonic())
        if self.name:
            self.changes += 1
            self.unanswered = request
        try:
            await self.send(connection, *request)
        except Lost:
            if not self.name:
                self.load.lost += 1
            raise

    async def send(self, connection, method, path, body, wanted, sent):
        key = f"{self.name}/{self.changes}" if self.name else None
        status, answer = await connection.ask(method, path, body, key)
        if status >= 500:
            # The change might have been made, as after a lost connection.
            self.load.refused += 1
            connection.close()
            raise Lost
        if status not in (200, 201):
            raise Broken(f"{method} {path} of writer {self.number} returned status {status}: {answer}")
        now = time.monotonic()
        version, item = answer["version"], answer["item"]
        if wanted is not None:
            got = (item["id"], item["text"], item["done"])
            if got[1:] != wanted[1:] or wanted[0] not in (None, got[0]):
                raise Broken(f"writer {self.number} requested {wanted} and received {got}")
            wanted = got
        if version <= self.version:
            raise Broken(f"writer {self.number} received version {version} after version {self.version}")
        if version in self.load.sent:
            raise Broken(f"two changes have version {version}")
        self.version, self.known, self.possible = version, wanted, None
        self.unanswered, self.isMade = None, False
        self.load.sent[version] = sent
        self.load.writes.append(now - sent)

    async def check(self, connection):
        """Checks that the item is the acknowledged item or the item of the last request."""
        status, answer = await connection.ask("GET", "/items")
        if status >= 500:
            connection.close()
            raise Lost
        if answer["version"] < self.version:
            raise Broken(f"version {self.version} was acknowledged, but the board has version {answer['version']}")
        self.compare(answer["items"])

    def compare(self, items):
        mine = [item for item in items if NAME.fullmatch(item["text"])[1] == str(self.number)]
        found = (mine[0]["id"], mine[0]["text"], mine[0]["done"]) if mine else None
        may = [self.known, *(self.possible or ())]
        same = lambda one: one == found or (one and found and one[0] is None and one[1:] == found[1:])
        if len(mine) > 1 or not any(map(same, may)):
            raise Broken(f"the board has the items {mine} of writer {self.number}; expected one of {may}")
        if self.possible:
            # The result of a lost request is known now. An unanswered change is repeated, and counted then.
            isMade = bool(same(self.possible[0]))
            self.isMade = isMade and self.unanswered is not None
            self.load.found += isMade and self.unanswered is None
        self.known, self.possible = found, None


class Listener:
    """Follows the events, reconnects after a lost connection, and checks the order of the events."""

    def __init__(self, number, load, reads):
        self.number, self.load, self.reads = number, load, reads
        self.version, self.last, self.wasToldOfEnd, self.isConnected = -1, b"", False, False
        self.count, self.bytes, self.steps, self.arrivals = 0, 0, {}, []
        self.ended = None

    async def run(self):
        while not (self.wasToldOfEnd and self.load.isOver):
            self.wasToldOfEnd = False
            self.ended = asyncio.get_running_loop().create_future()
            try:
                await Events.open(self.load.port(self), self.version, self.take, self.over)
                await self.ended
            except Lost:
                pass
            self.isConnected = False
            await asyncio.sleep(0.05)

    def over(self):
        if not self.ended.done():
            self.ended.set_result(None)

    def take(self, event):
        try:
            self.read(event)
        except Broken as broken:
            self.load.fail(broken)

    def read(self, event):
        if event.startswith(b"event: end\n"):
            self.wasToldOfEnd = True
        elif event.startswith(b"id: "):
            end = event.index(b"\n")
            version = int(event[4:end])
            if version <= self.version:
                raise Broken(f"a listener received version {version} after version {self.version}")
            self.version, self.last = version, event[end + 7 :]
            self.count += 1
            self.bytes += len(event)
            if self.reads:
                self.arrivals.append((version, time.monotonic()))
                if self.load.lists.setdefault(version, hash(self.last)) != hash(self.last):
                    raise Broken(f"two lists have version {version}")
                self.follow(version, json.loads(self.last))
        self.isConnected = True

    def follow(self, version, board):
        if board["version"] != version:
            raise Broken(f"the event of version {version} contains the list of version {board['version']}")
        for item in board["items"]:
            writer, step = map(int, NAME.fullmatch(item["text"]).groups())
            if step < self.steps.get(writer, 0):
                raise Broken(f"a list reverts writer {writer} from step {self.steps[writer]} to step {step}")
            self.steps[writer] = step
