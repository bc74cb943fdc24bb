"""Tests of the list of branches, which contain the actions that a jump into the past set aside."""

from selenium.webdriver.common.keys import Keys

from pagetest import PageTest, unittest


class Branches(PageTest):
    def test_actions_that_a_jump_left_behind_are_listed_and_a_click_returns_to_them(self):
        page = self.open(count=5)
        self.assertFalse(page.shown("#branches"))
        page.select(2)
        page.press(Keys.ENTER)
        self.program.asked("command", command="jump", entry=2)
        page.wait_for_text("#count", "5 actions · 3 undone")
        store = self.program.store
        added = store.add()
        self.program.send(store.log(added, keep=2))
        page.wait_for_text("#branches-text", "3 actions set aside after a jump into the past. Return to:")
        page.wait_for_text("#branches-list", "#3–#5 after #2")
        page.click("#branches-list button")
        self.program.asked("command", command="jump", entry=5)
        page.wait_for_text("#count", "5 actions")
        page.wait_for_text("#branches-list", "#6 after #2")

    def test_what_the_history_removed_is_said(self):
        page = self.open(count=1)
        store = self.program.store
        store.evicted = 7
        self.program.send(store.log([]))
        page.wait_for_text("#branches-text", "7 actions removed to bound the history.")


if __name__ == "__main__":
    unittest.main()
