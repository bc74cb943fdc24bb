"""Screens as they were agreed, and whether a terminal shows them."""
import difflib, os, re, time

from terminal import Missing

FOLDER = os.path.join(os.path.dirname(__file__), "..", "movies")


def plain(screen):
    """A screen without what differs from run to run: the port of a server, always of five digits."""
    return re.sub(r"127\.0\.0\.1:\d{5}", "127.0.0.1:PORT_", screen)


class Captures:
    """The screens that were agreed; with `accepts`, those that are shown are agreed from now on."""

    def __init__(self, accepts):
        self.accepts = accepts
        self.seen = set()

    def shows(self, terminal, name, text):
        """Waits until a terminal shows the screen of a name, of which a text is a sign."""
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
                expected.splitlines(), plain(terminal.screen()).splitlines(), "agreed", "shown", lineterm="")
            return f"not the screen {name}:\n" + "\n".join(lines) + "\n"

        terminal.when(lambda screen: plain(screen) == expected, difference)

    def settled(self, terminal):
        """A screen that stays as it is for a while: somebody reads it before it is agreed."""
        screen = terminal.screen()
        while True:
            time.sleep(0.5)
            before, screen = screen, terminal.screen()
            if before == screen:
                return screen

    def check_all_seen(self):
        """A screen that nothing shows is an error, and not one that holds."""
        unseen = {name.removesuffix(".txt") for name in os.listdir(FOLDER)} - self.seen
        if unseen:
            raise Missing(f"agreed, but never shown: {', '.join(sorted(unseen))}")
