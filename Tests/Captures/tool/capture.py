"""The accepted screens, and the comparison of a terminal with them."""
import difflib, os, re, time

from terminal import Missing

FOLDER = os.path.join(os.path.dirname(__file__), "..", "movies")


def plain(screen):
    """Returns a screen without the port of a server, which differs from run to run and has five digits."""
    return re.sub(r"127\.0\.0\.1:\d{5}", "127.0.0.1:PORT_", screen)


class Captures:
    """The accepted screens; if `accepts` is true, the current screens replace them."""

    def __init__(self, accepts):
        self.accepts = accepts
        self.seen = set()

    def shows(self, terminal, name, text):
        """Waits until a terminal shows the accepted screen with the given name.

        When the screen is accepted, `text` identifies it: the method waits for the text, and saves the
        screen.
        """
        self.seen.add(name)
        path = os.path.join(FOLDER, f"{name}.txt")
        if self.accepts:
            terminal.until(text)
            with open(path, "w", encoding="utf-8") as file:
                file.write(plain(self.settled(terminal)))
            return
        with open(path, encoding="utf-8") as file:
            expected = file.read()

        def difference():
            lines = difflib.unified_diff(
                expected.splitlines(), plain(terminal.screen()).splitlines(), "accepted", "shown", lineterm="")
            return f"the screen differs from {name}:\n" + "\n".join(lines) + "\n"

        terminal.when(lambda screen: plain(screen) == expected, difference)

    def settled(self, terminal):
        """Returns the screen after it has not changed for half a second."""
        screen = terminal.screen()
        while True:
            time.sleep(0.5)
            before, screen = screen, terminal.screen()
            if before == screen:
                return screen

    def check_all_seen(self):
        """Raises an error if no scenario showed one of the accepted screens."""
        unseen = {name.removesuffix(".txt") for name in os.listdir(FOLDER)} - self.seen
        if unseen:
            raise Missing(f"accepted, but never shown: {', '.join(sorted(unseen))}")
