"""A real terminal, in which a program is used: keys are sent, and the screen is read."""
import os, subprocess, tempfile, time

# How long a screen may take to come. Nothing waits for a time: this only ends what would never end.
DEADLINE = 120


class Missing(Exception):
    """A screen that did not come."""


def wait(holds, why):
    """Waits until something holds."""
    end = time.monotonic() + DEADLINE
    while not holds():
        if time.monotonic() > end:
            raise Missing(f"after {DEADLINE} seconds: {why()}")
        time.sleep(0.02)


class Terminal:
    """A window of tmux with a shell in it."""

    def __init__(self, columns, rows):
        self.folder = tempfile.TemporaryDirectory()
        self.socket = os.path.join(self.folder.name, "tmux")
        shell = "env PS1='$ ' HISTFILE= bash --norc --noprofile -i"
        # The server takes its settings from a file that is empty, and ends with its window.
        self.tmux("-f", os.devnull, "new-session", "-d", "-x", str(columns), "-y", str(rows), shell)
        self.until("$")

    def __enter__(self):
        return self

    def __exit__(self, *error):
        programs = self.programs()
        self.tmux("kill-server")
        # What runs still hears that its terminal is gone, and keeps what it has to keep: in this folder.
        wait(lambda: not any(os.path.exists(f"/proc/{program}") for program in programs), lambda: "still runs")
        self.folder.cleanup()

    def programs(self):
        """The processes that the shell has started and that run, or are stopped."""
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
        """Presses keys by their names."""
        self.tmux("send-keys", *keys)

    def type(self, text):
        self.tmux("send-keys", "-l", text)

    def run(self, line):
        """Gives the shell a line."""
        self.type(line)
        self.press("Enter")

    def resize(self, columns, rows):
        self.tmux("resize-window", "-x", str(columns), "-y", str(rows))

    def screen(self):
        return self.tmux("capture-pane", "-p")

    def asked(self, variable):
        return self.tmux("display-message", "-p", f"#{{{variable}}}").strip()

    def until(self, text):
        """Waits until the screen has a text."""
        self.when(lambda screen: text in screen, lambda: f"no {text!r}")

    def when(self, holds, why):
        """Waits until something holds of the screen."""
        wait(lambda: holds(self.screen()), lambda: f"{why()} on the screen:\n{self.screen()}")
