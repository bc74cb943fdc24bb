"""The process of the server under load, which the load test starts, watches, kills, and ends."""
import asyncio, os, signal, subprocess, threading, time
from connections import Broken

# The seconds that the server may take to start or to end, even on a slow machine.
PATIENCE = 120


def build(folder, *arguments):
    """Builds the server in release, and returns the path of the program."""
    options = os.environ.get("RELEASE_BUILD", "-c release").split()
    command = ["swift", "build", *options, "--package-path", folder, *arguments]
    subprocess.run(command + ["--product", "board"], check=True, stdout=subprocess.DEVNULL)
    path = subprocess.run(command + ["--show-bin-path"], check=True, capture_output=True, text=True).stdout
    return os.path.join(path.strip(), "board")


class Server:
    def __init__(self, program, *arguments):
        self.program, self.arguments, self.port = program, arguments, 0
        self.process, self.memory = None, []

    async def start(self):
        """Starts the server on its previous port, and returns when the server listens."""
        self.process = await asyncio.create_subprocess_exec(
            self.program, "--port", str(self.port), *self.arguments, stdout=asyncio.subprocess.PIPE)
        line = (await asyncio.wait_for(self.process.stdout.readline(), PATIENCE)).decode()
        if not line:
            raise Broken(f"the server ended with status {await self.process.wait()} during its start")
        self.port = int(line.rsplit(":", 1)[1])
        self.memory = []

    async def watch(self):
        """Records the memory of the server in KiB every quarter of a second.

        A separate thread does so, because the load keeps the current thread busy.
        """
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
                pass  # The process is not running at the moment.

    async def kill(self):
        self.process.kill()
        await self.process.wait()

    def suspend(self):
        self.process.send_signal(signal.SIGSTOP)

    def resume(self):
        self.process.send_signal(signal.SIGCONT)

    async def end(self):
        """Sends SIGTERM to the server, waits until the server ends, and returns its status."""
        self.process.send_signal(signal.SIGTERM)
        try:
            return await asyncio.wait_for(self.process.wait(), PATIENCE)
        except asyncio.TimeoutError:
            raise Broken(f"the server did not end within {PATIENCE} seconds after SIGTERM") from None
