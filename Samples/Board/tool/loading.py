"""The load test."""
import argparse, asyncio, json, math, os, random, shutil, sys, tempfile, time
import figures, server
from clients import Listener, Writer
from connections import Broken, Lost, Requests

# The number of listeners that read every list. The other listeners read the versions and the last list.
READERS = 10
# The seconds to wait for a condition that must become true, even on a slow machine.
PATIENCE = 120
# The permitted growth of the memory, in MiB. The memory that the allocator keeps differs from one
# quarter to the next.
SLACK = 16
# A growth of this many MiB or less is ignored. In runs of 20 seconds, the memory grew by 2 MiB with 770
# changes in a quarter, and by 3 MiB with 4,700 changes.
NOISE = 4
# The permitted growth of the memory for each change, in bytes. In runs with many changes, the memory grew
# by 500 to 900 bytes for each change before the first snapshot, which follows about 10,000 changes. A
# leaked request with its buffer has 4,096 bytes.
PER_CHANGE = 2048
# The longest time between two kills, in seconds.
PAUSE = 0.5
# The folder of the package.
FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Load:
    def __init__(self, options, program, *arguments):
        self.options = options
        self.server = server.Server(program, *arguments)
        # The hash of the list that a listener has received with each version.
        self.lists = {}
        self.isOver, self.lost, self.refused = False, 0, 0
        # `lost` counts the requests without a key whose answer was lost, and `repeated` the requests with a
        # key that were repeated for the same reason.
        self.repeated = 0
        # The number of changes that were made, although their answer was lost. Their requests had no key.
        self.found = 0
        self.sent, self.writes = {}, []
        self.mayWrite = asyncio.Event()
        self.mayWrite.set()
        self.tasks = []
        self.broken = asyncio.get_running_loop().create_future()
        self.writers = [Writer(number, self) for number in range(options.writers)]
        self.listeners = [Listener(number, self, number < READERS) for number in range(options.listeners)]

    def port(self, client):
        """Returns the port to which a client connects."""
        return self.server.port

    async def settle(self, connection):
        """Waits until the result of a lost request can no longer change."""

    def fail(self, broken):
        if not self.broken.done():
            self.broken.set_exception(broken)

    def begin(self, work):
        self.tasks.append(asyncio.create_task(work))
        return self.tasks[-1]

    async def stop(self):
        """Kills the server if it runs, and cancels all tasks."""
        if self.server.process and self.server.process.returncode is None:
            await self.server.kill()
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)

    async def write(self):
        try:
            await asyncio.gather(*(writer.run() for writer in self.writers))
        except Broken as broken:
            self.fail(broken)

    async def unlessBroken(self, work):
        """Waits for work, and raises an error as soon as a guarantee is violated."""
        work = asyncio.ensure_future(work)
        await asyncio.wait({work, self.broken}, return_when=asyncio.FIRST_COMPLETED)
        if self.broken.done():
            work.cancel()
            self.broken.result()
        return await work

    async def until(self, isSo, what):
        """Waits until a condition is true, and raises an error if it stays false for too long."""
        async def wait():
            while not isSo():
                await asyncio.sleep(0.02)
        try:
            await asyncio.wait_for(self.unlessBroken(wait()), PATIENCE)
        except asyncio.TimeoutError:
            raise Broken(f"not true within {PATIENCE} seconds: {what}") from None

    def allListen(self):
        return all(listener.isConnected for listener in self.listeners)

    async def run(self):
        await self.server.start()
        self.begin(self.server.watch())
        listening = [self.begin(listener.run()) for listener in self.listeners]
        await self.until(self.allListen, "every listener is connected")
        writing = self.begin(self.write())
        began = time.monotonic()
        await self.unlessBroken(asyncio.sleep(self.options.seconds / 2))
        acknowledged = len(self.writes)
        restart = await self.killAndStart()
        for _ in range(1, self.options.kills):
            await self.unlessBroken(asyncio.sleep(random.uniform(0, PAUSE)))
            restart = max(restart, await self.killAndStart())
        warm = time.monotonic()
        await self.unlessBroken(asyncio.sleep(self.options.seconds / 2))
        ended, lost, made = time.monotonic(), self.lost, len(self.writes)
        memory = figures.growth(self.server.memory, self.sent.values(), warm, ended)
        ending = await self.endWhileAllWrite()
        self.isOver = True
        self.mayWrite.set()
        await asyncio.wait_for(self.unlessBroken(writing), PATIENCE)
        board = await self.finalList()
        await self.until(
            lambda: all(listener.version == board["version"] for listener in self.listeners),
            "every listener has the last list")
        if any(json.loads(listener.last) != board for listener in self.listeners):
            raise Broken("the last list of a listener differs from the last list of the server")
        await self.end()
        await self.until(
            lambda: all(listener.wasToldOfEnd for listener in self.listeners), "every listener has the end event")
        await self.server.start()
        if await self.finalList() != board:
            raise Broken("the list differs after the last restart")
        await self.end()
        await asyncio.gather(*listening)
        # The times of changes during the end and the restart of the server are not part of the figures.
        del self.writes[made:]
        for listener in self.listeners:
            listener.arrivals = [one for one in listener.arrivals if one[1] <= ended]
        return self.report(ended - began, acknowledged, restart, memory, board) | {"lost": lost, "ending": ending}

    async def killAndStart(self):
        """Kills the server while every writer writes, starts it again, and checks that nothing is lost.

        Returns the seconds of the restart.
        """
        for listener in self.listeners:
            listener.isConnected = False
        self.mayWrite.clear()
        killed = time.monotonic()
        await self.server.kill()
        await self.server.start()
        restart = time.monotonic() - killed
        await self.until(self.allListen, "every listener is connected again")
        await self.expectNothingTakenBack()
        self.mayWrite.set()
        return restart

    async def end(self):
        """Sends SIGTERM to the server, and returns the seconds until the server ends."""
        asked = time.monotonic()
        status = await self.unlessBroken(self.server.end())
        if status != 0:
            raise Broken(f"the server ended with status {status}")
        return time.monotonic() - asked

    async def endWhileAllWrite(self):
        """Ends the server while every writer writes, restarts it, and checks the acknowledged changes.

        Returns the seconds until the end, and the number of changes that were acknowledged meanwhile.
        """
        acknowledged = len(self.writes)
        for listener in self.listeners:
            listener.isConnected = False
        self.mayWrite.clear()
        seconds = await self.end()
        await self.server.start()
        await self.until(self.allListen, "every listener is connected after the restart")
        await self.expectNothingTakenBack()
        await self.finalList()
        return {"seconds": seconds, "writes": len(self.writes) - acknowledged}

    async def expectNothingTakenBack(self):
        """Checks that the board has every version that it sent before the restart.

        No writer may write during the check.
        """
        board = await self.board()
        for who in self.listeners + self.writers:
            if who.version > board["version"]:
                raise Broken(f"version {who.version} was sent before the restart, but the board has version {board['version']}")

    async def board(self):
        """Returns the list of the board, and repeats the request while the server is too busy."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                connection = await Requests.open(self.server.port)
                try:
                    status, board = await connection.ask("GET", "/items")
                finally:
                    connection.close()
                if status == 200:
                    return board
            except Lost:
                pass
            await asyncio.sleep(0.02)
            if time.monotonic() > end:
                raise Broken(f"the server did not return the list within {PATIENCE} seconds")

    async def finalList(self):
        board = await self.board()
        for writer in self.writers:
            writer.compare(board["items"])
        self.checkCount(board)
        return board

    def checkCount(self, board):
        """Checks that each change was made once, after the items of all writers were compared."""
        made = len(self.sent) + self.found + sum(writer.isMade for writer in self.writers)
        if board["version"] != made:
            raise Broken(f"the board has version {board['version']}, but {made} changes were made")

    def report(self, seconds, acknowledged, restart, memory, board):
        # The time from sending a change until a listener has a list with the change, for each change and
        # each listener that reads every list.
        sights = []
        for listener in self.listeners[:READERS]:
            seen = 0
            for version, arrival in listener.arrivals:
                sights += [arrival - self.sent[one] for one in range(seen + 1, version + 1) if one in self.sent]
                seen = version
        events = sum(listener.count for listener in self.listeners)
        return {
            "seconds": seconds, "writes": len(self.writes), "beforeKill": acknowledged,
            "refused": self.refused, "repeated": self.repeated, "restart": restart, "version": board["version"], "events": events,
            "bytes": sum(listener.bytes for listener in self.listeners),
            "write": figures.percentiles(self.writes), "sight": figures.percentiles(sights), "memory": memory,
        }


def tell(options, found):
    kills = "killed in the middle" if options.kills == 1 else f"killed {options.kills} times in the middle"
    print(f"{options.writers} writers, {options.listeners} listeners, {found['seconds']:.0f} seconds, {kills}\n")
    print(figures.HEADING)
    print(figures.row("from change to acknowledgment", found["write"]))
    print(figures.row("from change to listener", found["sight"]))
    rate = lambda count: f"{count / found['seconds']:,.0f} a second"
    print(f"\n{found['writes']:,} changes were acknowledged ({rate(found['writes'])}), {found['beforeKill']:,} of them")
    print(f"before the first kill. {found['events']:,} lists were sent ({rate(found['events'])}, {found['bytes'] / 1e6:,.0f} MB).")
    longest = "The restart" if options.kills == 1 else "The longest restart"
    print(f"{longest} took {found['restart'] * 1000:.0f} ms; {found['lost']} requests were lost, and {found['repeated']} were repeated.")
    before, after, changes = found["memory"] or (math.nan, math.nan, 0)
    print(f"Peak memory after the restart: {before:.1f} MiB, then {after:.1f} MiB, with {changes:,} changes.")
    ending = found["ending"]
    print(f"SIGTERM under load ended it after {ending['seconds']:.1f} s; {ending['writes']:,} more changes were acknowledged.")
    print("A time begins before a request is written, and ends after its answer is read, by the monotonic clock of the script.")
    print("The script and the server share the machine.")
    print(f"The times of listeners are from the {min(READERS, options.listeners)} listeners that read every list.")


def parse(arguments, usage):
    parser = argparse.ArgumentParser(usage=usage.split("usage: ", 1)[1])
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--listeners", type=int, default=500)
    parser.add_argument("--writers", type=int, default=200)
    parser.add_argument("--kills", type=int, default=1)
    parser.add_argument("--program")
    parser.add_argument("--figures")
    parser.add_argument("--postgres", action="store_true")
    options = parser.parse_args(arguments)
    # The board remembers the keys of 1,000 clients, and every second writer uses keys.
    if options.writers > 2000:
        parser.error("The number of writers must be at most 2,000.")
    return options


async def main(options):
    program = options.program or server.build(FOLDER)
    data = tempfile.mkdtemp()
    load = Load(options, program, "--data", data)
    try:
        found = await load.run()
    except Broken as broken:
        print(f"failed: {broken}\nThe data of the server is in {data}.", file=sys.stderr)
        return 1
    finally:
        await load.stop()
    shutil.rmtree(data)
    tell(options, found)
    if options.figures:
        with open(options.figures, "w") as file:
            json.dump(found, file, indent=2)
    if found["memory"] is None:
        print("failed: too few measurements of the memory", file=sys.stderr)
        return 1
    before, after, changes = found["memory"]
    growth = after - before
    if growth > SLACK or (growth > NOISE and growth * 2**20 > PER_CHANGE * changes):
        print(f"failed: the memory grew from {before:.1f} to {after:.1f} MiB, with {changes:,} changes", file=sys.stderr)
        return 1
    print("Every rule was met.")
    return 0
