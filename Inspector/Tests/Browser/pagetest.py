"""What all tests of the page share: a browser for a class of tests, and a program and a page for each."""

import os, unittest

import browser, fake

SCREENSHOTS = os.environ.get("SCREENSHOTS")


class PageTest(unittest.TestCase):
    """A class of tests. A test fails too when the browser complains of the page."""

    scheme, size = "light", browser.WIDE

    @classmethod
    def setUpClass(cls):
        cls.driver = browser.start(cls.scheme, cls.size)
        cls.addClassCleanup(cls.driver.quit)

    def open(self, *stores, count=0, tab=None):
        """Opens the page of a program with these stores; of one with so many actions, if there are none."""
        self.program = self.enterContext(fake.Program(*stores))
        if count:
            self.program.store.add(count)
        self.page = browser.Page(self.driver, self.program.address)
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
