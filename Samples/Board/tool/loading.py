"""The course of a load."""
import argparse, asyncio, json, math, os, shutil, sys, tempfile, time
import figures, server
from clients import Listener, Writer
from connections import Broken, Lost, Requests

# Those of the listeners that read what they are sent; the others look at the versions, and at the last list.
READERS = 10
# How long to wait for what has to come at last, however slow the machine is.
PATIENCE = 120
# What a memory that does not grow may grow by, in MiB: what the allocator keeps differs from one quarter to the next.
SLACK = 16
# So few MiB say nothing about a change. Runs of 20 seconds were seen to grow by 2 with 770 changes in a quarter, and by 3 with 4,700.
NOISE = 4
# What it may grow by for each change, in bytes. Where changes are many it was seen to grow by 500 to 900 before the first snapshot,
# which is after some 10,000; a request that is kept with its buffer is 4,096.
PER_CHANGE = 2048


class Load:
    def __init__(self, options, program, data):
        self.options = options
        self.server = server.Server(program, data)
        self.isOver, self.lost, self.refused = False, 0, 0
        self.sent, self.writes = {}, []
        self.mayWrite = asyncio.Event()
        self.mayWrite.set()
        self.tasks = []
        self.broken = asyncio.get_running_loop().create_future()
        self.writers = [Writer(number, self) for number in range(options.writers)]
        self.listeners = [Listener(self, number < READERS) for number in range(options.listeners)]

    def fail(self, broken):
        if not self.broken.done():
            self.broken.set_exception(broken)

    def begin(self, work):
        self.tasks.append(asyncio.create_task(work))
        return self.tasks[-1]

    async def stop(self):
        """Ends whatever is still going on."""
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
        """Waits for work, or for a promise that is broken."""
        work = asyncio.ensure_future(work)
        await asyncio.wait({work, self.broken}, return_when=asyncio.FIRST_COMPLETED)
        if self.broken.done():
            work.cancel()
            self.broken.result()
        return await work

    async def until(self, isSo, what):
        """Waits until something is so, which it has to be in the end."""
        async def wait():
            while not isSo():
                await asyncio.sleep(0.02)
        try:
            await asyncio.wait_for(self.unlessBroken(wait()), PATIENCE)
        except asyncio.TimeoutError:
            raise Broken(f"{what}: not within {PATIENCE} seconds") from None

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
            raise Broken("a listener has another list of the last version")
        await self.end()
        await self.until(
            lambda: all(listener.wasToldOfEnd for listener in self.listeners), "every listener is told of the end")
        await self.server.start()
        if await self.finalList() != board:
            raise Broken("another list is there after the last restart")
        await self.end()
        await asyncio.gather(*listening)
        # What became of changes while it ended and began again is about the restart, and not about how quick it is.
        del self.writes[made:]
        for listener in self.listeners:
            listener.arrivals = [one for one in listener.arrivals if one[1] <= ended]
        return self.report(ended - began, acknowledged, restart, memory, board) | {"lost": lost, "ending": ending}

    async def end(self):
        """Asks the server to end, which it does by itself; returns after how long."""
        asked = time.monotonic()
        status = await self.unlessBroken(self.server.end())
        if status != 0:
            raise Broken(f"the server ended with status {status}")
        return time.monotonic() - asked

    async def endWhileAllWrite(self):
        """Asks the server to end while every writer writes, starts it again, and looks for what was acknowledged.

        Returns after how long it has ended, and how many changes were acknowledged meanwhile.
        """
        acknowledged = len(self.writes)
        for listener in self.listeners:
            listener.isConnected = False
        self.mayWrite.clear()
        seconds = await self.end()
        await self.server.start()
        await self.until(self.allListen, "every listener is connected after the end")
        await self.expectNothingTakenBack()
        await self.finalList()
        return {"seconds": seconds, "writes": len(self.writes) - acknowledged}

    async def expectNothingTakenBack(self):
        """Nobody has begun to write again: what was told before the restart has to be there."""
        board = await self.board()
        for who in self.listeners + self.writers:
            if who.version > board["version"]:
                raise Broken(f"version {who.version} was told, and after the restart version {board['version']} is there")

    async def board(self):
        """The list, which has to be told in the end, though the server may be too busy at first."""
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
                raise Broken(f"the list: not within {PATIENCE} seconds")

    async def finalList(self):
        board = await self.board()
        for writer in self.writers:
            writer.compare(board["items"])
        return board

    def report(self, seconds, acknowledged, restart, memory, board):
        # From when a change was sent to when a listener has a list with it, for each change and each listener that reads.
        sights = []
        for listener in self.listeners[:READERS]:
            seen = 0
            for version, arrival in listener.arrivals:
                sights += [arrival - self.sent[one] for one in range(seen + 1, version + 1) if one in self.sent]
                seen = version
        events = sum(listener.count for listener in self.listeners)
        return {
            "seconds": seconds, "writes": len(self.writes), "beforeKill": acknowledged,
            "refused": self.refused, "restart": restart, "version": board["version"], "events": events,
            "bytes": sum(listener.bytes for listener in self.listeners),
            "write": figures.percentiles(self.writes), "sight": figures.percentiles(sights), "memory": memory,
        }


def tell(options, found):
    print(f"{options.writers} writers, {options.listeners} listeners, {found['seconds']:.0f} seconds, killed in the middle\n")
    print(figures.HEADING)
    print(figures.row("a change, until it is acknowledged", found["write"]))
    print(figures.row("a change, until a listener has it", found["sight"]))
    rate = lambda count: f"{count / found['seconds']:,.0f} a second"
    print(f"\n{found['writes']:,} changes were acknowledged ({rate(found['writes'])}), {found['beforeKill']:,} of them")
    print(f"before the kill, and {found['events']:,} lists sent ({rate(found['events'])}, {found['bytes'] / 1e6:,.0f} MB).")
    print(f"It was back after {found['restart'] * 1000:.0f} ms; {found['lost']} requests were lost on the way.")
    before, after, changes = found["memory"] or (math.nan, math.nan, 0)
    print(f"Memory, warm: {before:.1f} MiB at most, then {after:.1f} MiB, with {changes:,} changes.")
    ending = found["ending"]
    print(f"Asked to end while all wrote, it did after {ending['seconds']:.1f} s; {ending['writes']:,} more were acknowledged.")
    print("Times are from before a request is written to after its answer is read, by the monotonic clock of the script, which")
    print(f"shares the machine with the server; those of listeners are of {min(READERS, options.listeners)} that read what they are sent.")


async def main(arguments, usage):
    parser = argparse.ArgumentParser(usage=usage.split("usage: ", 1)[1])
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--listeners", type=int, default=500)
    parser.add_argument("--writers", type=int, default=200)
    parser.add_argument("--program")
    parser.add_argument("--figures")
    options = parser.parse_args(arguments)
    program = options.program or server.build(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    data = tempfile.mkdtemp()
    load = Load(options, program, data)
    try:
        found = await load.run()
    except Broken as broken:
        print(f"broken: {broken}\nWhat it kept is in {data}.", file=sys.stderr)
        return 1
    finally:
        await load.stop()
    shutil.rmtree(data)
    tell(options, found)
    if options.figures:
        with open(options.figures, "w") as file:
            json.dump(found, file, indent=2)
    if found["memory"] is None:
        print("broken: the memory was not looked at often enough to judge it", file=sys.stderr)
        return 1
    before, after, changes = found["memory"]
    growth = after - before
    if growth > SLACK or (growth > NOISE and growth * 2**20 > PER_CHANGE * changes):
        print(f"broken: the memory grew from {before:.1f} to {after:.1f} MiB, with {changes:,} changes", file=sys.stderr)
        return 1
    print("Every promise was kept.")
    return 0
