"""The page of the board in a browser, with the operations of a user."""

import unittest

import browser
from selenium.webdriver.common.keys import Keys

UNREACHABLE = "The server cannot be reached."


class BoardPage(browser.Page):
    """The page, with the operations of a user."""

    def items(self):
        return self.script("""
            return [...document.querySelectorAll("#items li")]
              .map((row) => [row.querySelector(".text").value, row.querySelector("[type=checkbox]").checked])""")

    def wait_for_items(self, *texts):
        self.wait(
            lambda: [text for text, _ in self.items()] == list(texts), lambda: f"{texts}, not {self.items()}"
        )

    def add(self, *texts):
        for text in texts:
            self.type("#text", text + Keys.ENTER)
            self.wait(lambda: text in [shown for shown, _ in self.items()], f"the item {text}")

    def inside(self, text, selector):
        """Returns a part of the row of an item."""
        place = [shown for shown, _ in self.items()].index(text)
        return self.all("#items li")[place].find_element(browser.By.CSS_SELECTOR, selector)

    def rename(self, old, new):
        field = self.inside(old, ".text")
        field.send_keys(Keys.CONTROL + "a")
        field.send_keys(new + Keys.ENTER)

    def stored_version(self):
        """Returns the version of the list that the browser has stored."""
        return self.module("""
            const { Outbox } = await import("./outbox.js");
            const outbox = await Outbox.open({ changed() {} });
            return (await outbox.contents()).view?.list.version;""")

    def wait_for_state(self, text):
        self.wait_for_text("#state", text)

    def wait_until_saved(self):
        self.wait(
            lambda: "saved" not in self.text("#state") and not self.all("li.pending, #items[aria-busy=true]"),
            lambda: f"everything to be saved: {self.text('#state')}",
        )


class PageTest(unittest.TestCase):
    """A test with a browser, which has no data at the beginning of the test."""

    def setUp(self):
        self.driver = browser.start()
        self.addCleanup(self.driver.quit)
        self.addCleanup(self.check)

    def check(self):
        """Checks that no script of the page has failed. Failed requests are a part of most tests."""
        messages = [line["message"] for line in self.driver.get_log("browser")]
        self.assertEqual([message for message in messages if "Uncaught" in message], [])

    def show(self, window):
        """Shows a page. The browser hides the other pages."""
        self.driver.switch_to.window(window)
        self.driver.execute_cdp_cmd("Page.bringToFront", {})
