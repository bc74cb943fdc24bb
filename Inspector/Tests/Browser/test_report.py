"""Tests of crash reports, which can only be read."""

from selenium.webdriver.common.keys import Keys

import fake
from pagetest import PageTest, unittest

TEXT = "The program ended while it reduced the action <b>Rate</b>."
ONLY_READ = "A crash report can only be read."


class Report(PageTest):
    def open_report(self, time=1_760_000_000_000.0):
        report = fake.Store(2, "Crash")
        report.report = {"text": TEXT, "time": time}
        report.add(5)
        page = self.open(fake.Store(1, "App"), report)
        self.assertFalse(page.shown("#report"))
        page.script("document.querySelectorAll('#stores [role=tab]')[1].click()")
        page.wait_for_text("#count", "5 actions")
        return page

    def commands(self):
        types = ("command", "dispatch", "import")
        return [request for request in self.program.requests if request["type"] in types]

    def test_a_banner_says_how_and_when_the_program_ended(self):
        page = self.open_report()
        page.wait_for_text("#report", f"Crash report. {TEXT} It ended at 2025-10-")
        page.wait_for_text("#report", ", or less than a minute later.")
        page.script("document.querySelectorAll('#stores [role=tab]')[0].click()")
        page.wait(lambda: not page.shown("#report"), "the banner to disappear")

    def test_without_a_time_the_banner_says_only_how_the_program_ended(self):
        page = self.open_report(time=None)
        page.wait(lambda: page.text("#report") == f"Crash report. {TEXT}", "the banner")

    def test_only_an_export_is_possible(self):
        page = self.open_report()
        page.select(3)
        for tool in ("undo", "redo", "jump", "skip", "commit", "reset", "pause", "lock", "dispatch", "import"):
            self.assertEqual(page.hints(tool), ONLY_READ)
            page.click(f"#tool-{tool}")
            page.wait_for_text("#notice-text", ONLY_READ)
        page.press("s")
        page.press(Keys.ENTER)
        self.assertEqual(page.one("#tool-export").get_attribute("aria-disabled"), "false")
        self.assertEqual(self.commands(), [])

    def test_the_slider_selects_an_action_and_shows_the_state_after_it(self):
        page = self.open_report()
        page.click("#tab-state")
        page.script("document.getElementById('timeline-slider').focus()")
        page.press(Keys.ARROW_LEFT, Keys.ARROW_LEFT)
        page.wait(lambda: "shown" in page.classes(3), "entry 3 to be selected")
        page.wait_for_text("#timeline-position", "3 / 5")
        self.program.asked("state", store=2, at=3)
        page.press(Keys.HOME)
        page.wait_for_text("#timeline-position", "0 / 5")
        self.program.asked("state", store=2, at=0)
        self.assertEqual(self.commands(), [])


if __name__ == "__main__":
    unittest.main()
