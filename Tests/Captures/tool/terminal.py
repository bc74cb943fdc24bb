"""A real terminal, to which tests send keys, and whose screen they read."""
import os, subprocess, tempfile, time

# The seconds after which a test fails if the expected screen has not appeared. No test sleeps for a
# fixed time.
DEADLINE = 120


class Missing(Exception):
    """An error that reports an expected screen or value that did not appear."""


def wait(holds, why):
    """Waits until a condition is true."""
    end = time.monotonic() + DEADLINE
    while not holds():
        if time.monotonic() > end:
            raise Missing(f"after {DEADLINE} seconds: {why()}")
        time.sleep(0.02)


class Terminal:
    """A window of tmux that runs a shell."""

    def __init__(self, columns, rows):
        self.folder = tempfile.TemporaryDirectory()
        self.socket = os.path.join(self.folder.name, "tmux")
        shell = "env PS1='$ ' HISTFILE= bash --norc --noprofile -i"
        # The server of tmux reads an empty settings file, and ends with its window.
        self.tmux("-f", os.devnull, "new-session", "-d", "-x", str(columns), "-y", str(rows), shell)
        self.until("$")

    def __enter__(self):
        return self

    def __exit__(self, *error):
        programs = self.programs()
        self.tmux("kill-server")
        # A running program receives SIGHUP and saves its data in the folder, which is removed afterward.
        wait(lambda: not any(os.path.exists(f"/proc/{program}") for program in programs),
             lambda: "a program of the terminal still runs")
        self.folder.cleanup()

    def programs(self):
        """Returns the processes of the shell that run or are stopped."""
        shell = self.asked("pane_pid")
        with open(f"/proc/{shell}/task/{shell}/children") as file:
            return [int(program) for program in file.read().split()]

    def tmux(self, *words):
        command = ["tmux", "-u", "-S", self.socket, *words]
        environment = {**os.environ, "LC_ALL": "C.UTF-8"}
        done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", env=environment)
        if done.returncode:
            raise Missing(f"{' '.join(command)}: {done.stderr.strip()}")
        return done.stdout

    def press(self, *keys):
        """Sends keys, by the names that tmux uses."""
        self.tmux("send-keys", *keys)

    def type(self, text):
        self.tmux("send-keys", "-l", text)

    def run(self, line):
        """Types a line and presses Enter."""
        self.type(line)
        self.press("Enter")

    def resize(self, columns, rows):
        self.tmux("resize-window", "-x", str(columns), "-y", str(rows))

    def screen(self):
        return self.tmux("capture-pane", "-p")

    def asked(self, variable):
        return self.tmux("display-message", "-p", f"#{{{variable}}}").strip()

    def until(self, text):
        """Waits until the screen contains a text."""
        self.when(lambda screen: text in screen, lambda: f"no {text!r}")

    def when(self, holds, why):
        """Waits until a condition about the screen is true."""
        wait(lambda: holds(self.screen()), lambda: f"{why()} on the screen:\n{self.screen()}")
