"""The load test of several processes that serve one board."""
import asyncio, json, os, random, sys, time
import figures, server
from connections import Broken, Lost, Requests
from loading import FOLDER, PATIENCE, PAUSE, READERS, Load

PROCESSES = 3
# The script that kills and starts PostgreSQL, or nothing if the server is not ours.
DATABASE = os.environ.get("FLUX_POSTGRES_SERVER")
# The seconds after which the database has performed or dropped the request of a lost connection.
DELAY = 1


class SharedLoad(Load):
    def __init__(self, options, program, url):
        arguments = ("--postgres", url)
        super().__init__(options, program, *arguments)
        self.servers = [self.server] + [server.Server(program, *arguments) for _ in range(PROCESSES - 1)]
        self.connections = {}

    def port(self, client):
        """Returns the port of the next process, as if a load balancer chose it."""
        turn = self.connections.get(client, client.number - 1) + 1
        self.connections[client] = turn
        return self.servers[turn % PROCESSES].port

    async def settle(self, connection):
        """Waits until the result of a lost request can no longer change, and the process knows it.

        Before a process answers that an item does not exist, it reads the log to its end.
        """
        await asyncio.sleep(DELAY)
        status, answer = await connection.ask("DELETE", "/items/0")
        if status >= 500:
            connection.close()
            raise Lost
        if status != 404:
            raise Broken(f"an item that does not exist was removed: {answer}")

    async def stop(self):
        for one in self.servers:
            if one.process and one.process.returncode is None:
                one.resume()
                await one.kill()
        await super().stop()

    async def run(self):
        for one in self.servers:
            await one.start()
            self.begin(one.watch())
        listening = [self.begin(listener.run()) for listener in self.listeners]
        await self.until(self.allListen, "every listener is connected")
        writing = self.begin(self.write())
        began = time.monotonic()
        third = self.options.seconds / 3
        await self.work(third / 2)
        suspended = await self.suspend(self.servers[1], third)
        await self.work(third / 2)
        restart = await self.killAndStart(self.servers[2], third)
        for turn in range(1, self.options.kills):
            if turn % 2 == 1 and DATABASE:
                await self.killDatabase()
            else:
                one = random.choice(self.servers)
                restart = max(restart, await self.killAndStart(one, random.uniform(0, PAUSE)))
        ended = time.monotonic()
        self.isOver = True
        await asyncio.wait_for(self.unlessBroken(writing), PATIENCE)
        board = await self.converge()
        memory = [max(size for _, size in one.memory) / 1024 for one in self.servers]
        for one in self.servers:
            status = await self.unlessBroken(one.end())
            if status != 0:
                raise Broken(f"a process ended with status {status}")
        await self.server.start()
        if await self.list(self.server) != board:
            raise Broken("the list differs after the last restart")
        await self.server.end()
        await asyncio.gather(*listening)
        return self.report(ended - began, 0, restart, memory, board) | {"lost": self.lost, "suspended": suspended}

    async def work(self, seconds):
        await self.unlessBroken(asyncio.sleep(seconds))

    async def suspend(self, one, seconds):
        """Suspends a process, and returns the number of changes that were acknowledged meanwhile."""
        before = len(self.writes)
        one.suspend()
        await self.work(seconds)
        one.resume()
        return len(self.writes) - before

    async def killAndStart(self, one, seconds):
        """Kills a process, starts it again, and returns the seconds of the start."""
        await one.kill()
        shown = max(client.version for client in self.listeners + self.writers)
        await self.work(seconds / 2)
        killed = time.monotonic()
        await one.start()
        restart = time.monotonic() - killed
        board = await self.list(one)
        if board["version"] < shown:
            raise Broken(f"version {shown} was sent before the kill, but the board has version {board['version']}")
        await self.work(seconds / 2)
        return restart

    async def killDatabase(self):
        """Kills PostgreSQL, starts it again, and waits until changes are acknowledged again."""
        await self.work(random.uniform(0, PAUSE))
        for command in "crash", "start":
            process = await asyncio.create_subprocess_exec(DATABASE, command)
            if await process.wait() != 0:
                raise RuntimeError(f"{DATABASE} {command} failed")
        acknowledged = len(self.writes)
        await self.until(lambda: len(self.writes) > acknowledged, "changes are acknowledged after a kill of PostgreSQL")

    async def converge(self):
        """Waits until all processes and listeners have the same list, which contains every change."""
        for one in self.servers:
            connection = await Requests.open(one.port)
            await self.settle(connection)
            connection.close()
        boards = [await self.list(one) for one in self.servers]
        if any(board != boards[0] for board in boards):
            raise Broken(f"the processes have the versions {[board['version'] for board in boards]} or other lists")
        board = boards[0]
        for writer in self.writers:
            writer.compare(board["items"])
        self.checkCount(board)
        await self.until(
            lambda: all(listener.version == board["version"] for listener in self.listeners),
            "every listener has the last list")
        if any(json.loads(listener.last) != board for listener in self.listeners):
            raise Broken("the last list of a listener differs from the last list of the processes")
        return board

    async def list(self, one):
        connection = await Requests.open(one.port)
        status, board = await connection.ask("GET", "/items")
        connection.close()
        if status != 200:
            raise Broken(f"the list was answered with status {status}")
        return board


def tell(options, found):
    print(f"{options.writers} writers, {options.listeners} listeners, {PROCESSES} processes, {found['seconds']:.0f} seconds\n")
    print(figures.HEADING)
    print(figures.row("from change to acknowledgment", found["write"]))
    print(figures.row("from change to listener", found["sight"]))
    rate = lambda count: f"{count / found['seconds']:,.0f} a second"
    print(f"\n{found['writes']:,} changes were acknowledged ({rate(found['writes'])}), {found['suspended']:,} of them while a")
    print(f"process was suspended. {found['events']:,} lists were sent ({rate(found['events'])}, {found['bytes'] / 1e6:,.0f} MB).")
    longest = "The restart of the killed process" if options.kills == 1 else "The longest restart of a killed process"
    print(f"{longest} took {found['restart'] * 1000:.0f} ms; {found['lost']} requests were lost, and {found['repeated']} were repeated.")
    print(f"Peak memory of the processes: {', '.join(f'{size:.1f} MiB' for size in found['memory'])}.")
    print("The script, the processes, and PostgreSQL share the machine.")
    print(f"The times of listeners are from the {min(READERS, options.listeners)} listeners that read every list.")


async def main(options):
    program = options.program or server.build(FOLDER, "--traits", "Postgres")
    load = SharedLoad(options, program, os.environ["FLUX_POSTGRES_URL"])
    try:
        found = await load.run()
    except Broken as broken:
        print(f"failed: {broken}", file=sys.stderr)
        return 1
    finally:
        await load.stop()
    tell(options, found)
    if options.figures:
        with open(options.figures, "w") as file:
            json.dump(found, file, indent=2)
    print("Every rule was met.")
    return 0
