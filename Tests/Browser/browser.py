"""A headless browser, and the operations of tests on a page."""

import os, shutil

from selenium import webdriver
from selenium.common.exceptions import (
    SessionNotCreatedException,
    StaleElementReferenceException,
    TimeoutException,
)
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

PATIENCE = float(os.environ.get("PATIENCE", 60))
WIDE, PHONE = (1280, 820), (390, 844)


def start(scheme="light", size=WIDE, downloads=None):
    """Starts Chromium. The browser and its driver must be in the search path."""
    options = Options()
    for argument in (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--hide-scrollbars",
        "--lang=en-US",
        f"--blink-settings=preferredColorScheme={0 if scheme == 'dark' else 1}",
    ):
        options.add_argument(argument)
    options.binary_location = shutil.which("chromium") or shutil.which("google-chrome") or ""
    if downloads:
        options.add_experimental_option("prefs", {"download.default_directory": downloads})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    try:
        driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    except SessionNotCreatedException:
        # On a busy machine, a browser sometimes does not start in time. A broken browser fails again.
        driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    driver.set_script_timeout(120)
    resize(driver, size)
    return driver


def resize(driver, size):
    """Sets the size of the page, which can be smaller than the smallest size of a window."""
    driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": False},
    )


class Page:
    """A page, with the operations of a user."""

    def __init__(self, driver, address):
        self.driver = driver
        driver.get(address)

    # Finding

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def text(self, selector):
        """Returns the text of an element, even if it is hidden, or an empty text if no element matches."""
        return self.script("return document.querySelector(arguments[0])?.textContent ?? ''", selector)

    def shown(self, selector):
        return any(element.is_displayed() for element in self.all(selector))

    def focused(self):
        return self.script("return document.activeElement.id || document.activeElement.className")

    # Doing

    def script(self, text, *arguments):
        return self.driver.execute_script(text, *arguments)

    def module(self, body):
        """Runs the body of a function in the page, which can import the modules of the page.

        Returns the value of the function.
        """
        outcome = self.driver.execute_async_script(
            "const done = arguments[arguments.length - 1];"
            f"(async () => {{ {body} }})()"
            ".then((value) => done({ value }), (error) => done({ error: `${error}` }))"
        )
        if "error" in outcome:
            raise AssertionError(outcome["error"])
        return outcome["value"]

    def click(self, selector):
        self.wait(lambda: self.shown(selector), f"{selector} to click")
        self.one(selector).click()

    def press(self, *keys):
        """Sends keys to the element with the focus."""
        for key in keys:
            self.driver.switch_to.active_element.send_keys(key)

    def type(self, selector, text):
        """Replaces the text of a field with keys. The driver's `clear` sends the field no input event."""
        field = self.one(selector)
        field.send_keys(Keys.CONTROL + "a")
        field.send_keys(Keys.BACKSPACE + text)

    def put(self, selector, text):
        """Sets the text of a field in one step, like a paste."""
        self.script(
            "const field = document.querySelector(arguments[0]); field.value = arguments[1];"
            "field.dispatchEvent(new Event('input', { bubbles: true }));",
            selector,
            text,
        )

    # Waiting

    def settle(self):
        """Waits until the browser has drawn the current page."""
        self.module("for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);")

    def wait(self, condition, what, patience=PATIENCE):
        """Waits until a condition returns a true value, and returns the value.

        `what` describes the condition in the message of an error. It is a text or a function.
        """

        def look(_):
            try:
                return condition()
            except (StaleElementReferenceException, IndexError, KeyError):
                return False

        try:
            return WebDriverWait(
                self.driver, patience, poll_frequency=0.03, ignored_exceptions=[Exception]
            ).until(look)
        except TimeoutException:
            raise AssertionError(f"Timed out waiting for {what() if callable(what) else what}.") from None

    def wait_for_text(self, selector, text):
        self.wait(
            lambda: text in self.text(selector),
            lambda: f"{text!r} in {selector}, which contains {self.text(selector)!r}",
        )

    def troubles(self):
        """Returns the errors of scripts, and the violations of the security policy, in the browser's log.

        The browser loads the icon when it has nothing else to do, possibly after the program has ended.
        """
        return [
            line["message"]
            for line in self.driver.get_log("browser")
            if line["level"] == "SEVERE"
            and "WebSocket connection" not in line["message"]
            and not ("/icon.svg " in line["message"] and "ERR_CONNECTION_REFUSED" in line["message"])
        ]


def screenshot(driver, folder, name):
    if folder:
        os.makedirs(folder, exist_ok=True)
        driver.save_screenshot(os.path.join(folder, f"{name}.png"))
