"""The base class of tests of the page: one browser for each class, a program and a page for each test."""

import os, unittest

import browser, fake
from inspectorpage import InspectorPage

SCREENSHOTS = os.environ.get("SCREENSHOTS")


class PageTest(unittest.TestCase):
    """A class of tests, in which a test also fails if the browser reports an error of the page."""

    scheme, size = "light", browser.WIDE

    @classmethod
    def setUpClass(cls):
        cls.driver = browser.start(cls.scheme, cls.size)
        cls.addClassCleanup(cls.driver.quit)

    def open(self, *stores, count=0, tab=None):
        """Opens the page of a program with the given stores, or by default with one store.

        The first store gets `count` actions.
        """
        self.program = self.enterContext(fake.Program(*stores))
        if count:
            self.program.store.add(count)
        self.page = InspectorPage(self.driver, self.program.address)
        self.addCleanup(self.leave)
        self.page.wait_for_text("#connection-text", "Connected")
        for store in self.program.stores:
            self.program.asked("watch", store=store.number)
        self.page.wait_for_text("#count", f"{len(self.program.store.entries):,} action")
        if tab:
            self.page.click(f"#tab-{tab}")
        return self.page

    def leave(self):
        self.page.script("localStorage.clear()")
        self.assertEqual(self.page.troubles(), [])

    def picture(self, name):
        browser.screenshot(self.driver, SCREENSHOTS, name)
