"""The server under load: a process that is started, watched, killed and asked to end."""
import asyncio, os, signal, subprocess, threading, time
from connections import Broken

# How long it may take to begin or to end, however slow the machine is.
PATIENCE = 120


def build(folder):
    """Builds the server in release; returns the program."""
    command = ["swift", "build", "-c", "release", "--package-path", folder]
    subprocess.run(command + ["--product", "board"], check=True, stdout=subprocess.DEVNULL)
    path = subprocess.run(command + ["--show-bin-path"], check=True, capture_output=True, text=True).stdout
    return os.path.join(path.strip(), "board")


class Server:
    def __init__(self, program, data):
        self.program, self.data, self.port = program, data, 0
        self.process, self.memory = None, []

    async def start(self):
        """Starts it, on the port it had before, and returns when it listens."""
        self.process = await asyncio.create_subprocess_exec(
            self.program, "--port", str(self.port), "--data", self.data, stdout=asyncio.subprocess.PIPE)
        line = (await asyncio.wait_for(self.process.stdout.readline(), PATIENCE)).decode()
        if not line:
            raise Broken(f"the server ended with status {await self.process.wait()} when it was started")
        self.port = int(line.rsplit(":", 1)[1])
        self.memory = []

    async def watch(self):
        """Notes every quarter of a second how much memory it has, in KiB; on a thread, since the load keeps this one busy."""
        isOver = threading.Event()
        threading.Thread(target=self.look, args=(isOver,), daemon=True).start()
        try:
            await asyncio.Event().wait()
        finally:
            isOver.set()

    def look(self, isOver):
        while not isOver.wait(0.25):
            try:
                with open(f"/proc/{self.process.pid}/status") as file:
                    fields = dict(line.split(":", 1) for line in file)
                self.memory.append((time.monotonic(), int(fields["VmRSS"].split()[0])))
            except (OSError, KeyError):
                pass  # It is not there just now.

    async def kill(self):
        self.process.kill()
        await self.process.wait()

    async def end(self):
        """Asks it to end, and leaves it alone; returns its status."""
        self.process.send_signal(signal.SIGTERM)
        try:
            return await asyncio.wait_for(self.process.wait(), PATIENCE)
        except asyncio.TimeoutError:
            raise Broken(f"it was asked to end, and has not within {PATIENCE} seconds") from None
