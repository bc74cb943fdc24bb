"""Tests of the page with the sample, a real program that the page controls and shows.

The tests build and run the sample with `swift run`. If the environment variable SAMPLE contains the
path of a built sample, the tests run it instead.
"""

import json, os, signal, subprocess, tempfile, threading, unittest

from selenium.webdriver.common.keys import Keys

import browser
from inspectorpage import InspectorPage

PACKAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
SCREENSHOTS = os.environ.get("SCREENSHOTS")
PASSWORD = "enchantress"


def command():
    if os.environ.get("SAMPLE"):
        return [os.environ["SAMPLE"]]
    return ["swift", "run", "--package-path", PACKAGE, "sample"]


class Sample:
    """The running sample, with the address of its page and its output, within a `with` statement."""

    def __init__(self, **options):
        self.arguments = [word for name, value in options.items() for word in (f"--{name}", str(value))]
        self.lines, self.errors = [], []
        self.open_files = 2
        self.said = threading.Condition()

    def __enter__(self):
        self.process = subprocess.Popen(
            command() + self.arguments,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self.threads = [
            threading.Thread(target=self.read, args=pair, daemon=True)
            for pair in ((self.process.stdout, self.lines), (self.process.stderr, self.errors))
        ]
        for thread in self.threads:
            thread.start()
        # The first test builds the sample, which can take several minutes.
        self.address = self.wait(
            lambda: next((line.split()[-1] for line in self.errors if "http://" in line), None),
            "its address",
            900,
        )
        return self

    def __exit__(self, *_):
        self.end()
        for thread in self.threads:
            thread.join()
        self.process.stdout.close()
        self.process.stderr.close()

    def end(self, number=signal.SIGTERM):
        """Ends the program and the processes that started it, with a signal."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, number)
        self.process.wait()

    def read(self, file, lines):
        for line in file:
            with self.said:
                lines.append(line.rstrip("\n"))
                self.said.notify_all()
        with self.said:
            self.open_files -= 1
            self.said.notify_all()

    def wait(self, condition, what, patience=browser.PATIENCE):
        with self.said:
            self.said.wait_for(lambda: condition() or self.open_files == 0, patience)
            if not condition():
                raise AssertionError(
                    f"The program has not printed {what}. It printed {self.lines[-3:]} and {self.errors[-10:]}."
                )
            return condition()

    def says(self, line):
        """Waits until the last line of the program's output equals a line."""
        self.wait(lambda: self.lines and self.lines[-1] == line, repr(line))


class Program(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        cls.driver = browser.start()
        cls.addClassCleanup(cls.driver.quit)
        cls.driver.execute_cdp_cmd(
            "Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": cls.folder}
        )

    def open(self, actions=20, every=0, **options):
        """Starts a program and opens its page."""
        self.sample = self.enterContext(Sample(actions=actions, every=every, **options))
        self.page = InspectorPage(self.driver, self.sample.address)
        self.page.wait_for_text("#connection-text", "Connected")
        self.addCleanup(self.leave)
        return self.page

    def leave(self):
        self.assertEqual(self.page.troubles(), [])

    def exported(self):
        """Exports the history, and returns the path of the file."""
        before = set(os.listdir(self.folder))
        self.page.click("#tool-export")
        return os.path.join(
            self.folder,
            self.page.wait(
                lambda: [name for name in set(os.listdir(self.folder)) - before if name.endswith(".json")][0],
                "a file",
            ),
        )

    def test_actions_of_the_running_program_arrive_by_themselves(self):
        page = self.open(actions=0, every=100)
        page.wait(lambda: "SecondPassed" in page.names(), "an action of the program")
        seen = page.text("#count")
        page.wait(lambda: page.text("#count") != seen, "further actions")

    def test_a_jump_takes_the_program_back_and_redo_forth(self):
        page = self.open()
        page.wait_for_text("#count", "17 actions")
        self.sample.says("4 films, 4 seen, 4 seconds")
        page.press("g", Keys.ENTER)
        self.sample.says("0 films, 0 seen, 0 seconds")
        # The program can print its state before the page enables the redo command.
        page.wait_for_text("#count", "17 actions · 17 undone")
        page.press("r", "r", "r")
        self.sample.says("1 films, 1 seen, 0 seconds")
        page.press("G", "k", "j", Keys.ENTER)
        self.sample.says("4 films, 4 seen, 4 seconds")

    def test_the_slider_takes_the_program_along(self):
        page = self.open()
        page.wait_for_text("#count", "17 actions")
        page.script("document.getElementById('timeline-slider').focus()")
        page.press(Keys.ARROW_LEFT)
        self.sample.says("4 films, 4 seen, 3 seconds")
        page.press(Keys.HOME)
        self.sample.says("0 films, 0 seen, 0 seconds")

    def test_an_action_that_is_skipped_is_as_if_it_had_not_been(self):
        page = self.open()
        page.wait_for_text("#count", "17 actions")
        page.select(3)
        page.press("s")
        self.sample.says("4 films, 3 seen, 4 seconds")
        page.wait(lambda: "skipped" in page.classes(3), "the row to be skipped")
        page.press("s")
        self.sample.says("4 films, 4 seen, 4 seconds")

    def test_a_locked_program_refuses_its_own_actions_and_says_how_many(self):
        page = self.open(actions=0, every=50)
        page.wait_for_text("#count", "action")
        page.press("l")
        page.wait(
            lambda: "refused so far" in page.hints("lock") and "0 actions" not in page.hints("lock"),
            "refusals",
        )
        page.press("l")
        page.wait(lambda: page.text("#tool-lock") == "Lock", "the lock to be open")

    def test_an_action_is_dispatched_by_hand(self):
        page = self.open()
        self.sample.says("4 films, 4 seen, 4 seconds")
        page.wait_for_text("#count", "17 actions")
        page.press("d")
        page.script("document.getElementById('dispatch-name').value = 'AddFilm'")
        page.wait_for_text("#dispatch-from", "This is the payload of entry")
        page.type("#dispatch-payload", '{"title": "Ran"}')
        page.press(Keys.CONTROL + Keys.ENTER)
        page.wait(lambda: "rating" in page.text("#dispatch-error"), "the name of the missing key")
        page.type("#dispatch-payload", '{"title": "Ran", "rating": 4.5}')
        page.press(Keys.CONTROL + Keys.ENTER)
        self.sample.says("5 films, 4 seen, 4 seconds")
        page.wait(lambda: page.names()[-1] == "AddFilm", "the action in the log")

    def test_a_history_is_exported_and_imported_into_a_fresh_program(self):
        page = self.open()
        page.wait_for_text("#count", "17 actions")
        page.press("u")
        self.sample.says("4 films, 4 seen, 3 seconds")
        file = self.exported()
        self.sample.end()
        page = self.open(actions=0)
        self.sample.says("0 films, 0 seen, 0 seconds")
        page.one("#file").send_keys(file)
        page.click("#question-yes")
        self.sample.says("4 films, 4 seen, 3 seconds")
        page.wait_for_text("#count", "17 actions · 1 undone")
        page.press("r")
        self.sample.says("4 films, 4 seen, 4 seconds")

    def test_the_actions_before_a_kill_are_shown_by_the_next_run(self):
        journal = self.enterContext(tempfile.TemporaryDirectory())
        self.open(journal=journal)
        self.sample.says("4 films, 4 seen, 4 seconds")
        self.sample.end(signal.SIGKILL)
        page = self.open(actions=0, journal=journal)
        page.script("[...document.querySelectorAll('#stores [role=tab]')].at(-1).click()")
        page.wait_for_text("#report", "Crash report. The program ended after the action SecondPassed.")
        page.wait_for_text("#count", "17 actions")
        self.assertEqual(page.names()[-1], "SecondPassed")
        browser.screenshot(self.driver, SCREENSHOTS, "report")
        page.select(2)
        page.wait(lambda: "Stalker" in page.text("#panel"), "the changes of the first film")
        page.click("#tab-state")
        page.wait(lambda: "1 element" in page.text("#panel"), "the state after the first film")
        page.type("#path", "seconds")
        page.wait_for_text("#count", "17 actions · 4 shown")
        page.press(Keys.ESCAPE, "i")
        page.wait_for_text("#notice-text", "A crash report can only be read.")

    def test_a_secret_reaches_neither_the_page_nor_an_export(self):
        page = self.open()
        page.wait_for_text("#count", "17 actions")
        page.select(1)
        for tab in ("changes", "state", "action"):
            page.click(f"#tab-{tab}")
            page.wait(lambda: page.text(f".pane-{tab}") != "", f"the {tab}")
        page.wait(lambda: any("redacted" in row for row in page.tree()), "the redacted field")
        self.assertNotIn(PASSWORD, page.script("return document.documentElement.textContent"))
        with open(self.exported()) as file:
            text = file.read()
        self.assertEqual(json.loads(text)["format"], "flux-history")
        self.assertNotIn(PASSWORD, text)

    def test_what_an_action_changed_is_told_and_found_in_the_state(self):
        page = self.open()
        page.select(2)
        page.wait(lambda: "films" in page.text(".change-path"), "the change")
        page.click(".change-path")
        page.wait(
            lambda: any(mark in "".join(page.tree()) for mark in ("new", "was")), "the mark in the tree"
        )

    def test_each_store_of_the_program_has_its_tab(self):
        page = self.open()
        page.wait(lambda: len(page.all("#stores [role=tab]")) == 3, "three tabs")
        page.press("]")
        page.wait_for_text("#count", "4 actions")
        self.assertIn("Show", page.names())

    def test_the_queries_of_a_store_are_told_in_a_table(self):
        page = self.open()
        page.wait(lambda: len(page.all("#stores [role=tab]")) == 3, "three tabs")
        page.press("[")
        page.click("#tab-queries")

        def rows():
            return [row.text for row in page.all(".queries tbody tr")]

        page.wait(
            lambda: any("AllFilms()" in row and "success" in row for row in rows()), "the result of the query"
        )
        browser.screenshot(self.driver, SCREENSHOTS, "program-queries")

    def test_what_was_seen_stays_when_the_program_ends(self):
        page = self.open()
        page.wait_for_text("#count", "17 actions")
        self.sample.end()
        page.wait_for_text("#connection-text", "Connection lost")
        self.assertIn("AddFilm", page.names())
        browser.screenshot(self.driver, SCREENSHOTS, "program-ended")

    def test_every_file_of_the_page_comes_and_the_policy_forbids_none_of_it(self):
        page = self.open()
        page.wait_for_text("#count", "17 actions")
        missing = page.module("""
            const files = performance.getEntriesByType("resource");
            return files.filter(({ responseStatus }) => responseStatus !== 200).map(({ name }) => name);""")
        self.assertEqual(missing, [])
        browser.screenshot(self.driver, SCREENSHOTS, "program")


if __name__ == "__main__":
    unittest.main()
