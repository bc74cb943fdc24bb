"""Tests of the page, which shows and keeps changes while the server cannot be reached."""

import unittest

from board import Board
from page import UNREACHABLE, BoardPage, PageTest
from selenium.webdriver.common.keys import Keys


class ReplicaTest(PageTest):
    def setUp(self):
        self.board = self.enterContext(Board())
        super().setUp()

    def open(self):
        return BoardPage(self.driver, self.board.address)

    def other(self):
        """Opens a second page of the browser."""
        self.driver.switch_to.new_window("tab")
        return self.open()

    def goOffline(self, page):
        self.board.network.set("down")
        page.wait_for_state(UNREACHABLE)

    def test_changes_are_saved_in_order(self):
        page = self.open()
        page.add("milk", "tea")
        page.inside("milk", "[type=checkbox]").click()
        page.rename("tea", "green tea")
        page.inside("green tea", ".up").click()
        page.wait_for_items("green tea", "milk")
        page.wait_until_saved()
        self.assertEqual(self.board.items(), [("green tea", False), ("milk", True)])

    def test_the_list_is_busy_until_a_change_is_stored_and_shown(self):
        page = self.open()
        page.add("milk")
        page.wait_until_saved()
        # Another transaction delays the one that stores the change.
        page.module("""
            const { name } = await import("./outbox.js");
            await new Promise((resolve) => {
              indexedDB.open(name).onsuccess = ({ target: { result: database } }) => {
                const changes = database.transaction(["changes"], "readwrite").objectStore("changes");
                const hold = () => {
                  resolve();
                  if (window.isReleased) database.close();
                  else changes.count().onsuccess = hold;
                };
                changes.count().onsuccess = hold;
              };
            });""")
        page.inside("milk", "[type=checkbox]").click()
        self.assertTrue(page.all("#items[aria-busy=true]"))
        self.assertFalse(page.all("li.pending"))
        page.script("window.isReleased = true")
        page.wait_until_saved()
        self.assertEqual(self.board.items(), [("milk", True)])

    def test_changes_without_a_connection_are_shown_and_saved_later(self):
        self.board.ask("POST", "/items", {"text": "bread"})
        page = self.open()
        page.wait_for_items("bread")
        self.goOffline(page)
        page.add("milk", "tea")
        page.rename("milk", "oat milk")
        page.inside("oat milk", "[type=checkbox]").click()
        page.inside("tea", ".up").click()
        page.wait_for_items("bread", "tea", "oat milk")
        page.inside("bread", ".remove").click()
        page.wait_for_items("tea", "oat milk")
        page.wait_for_state("6 changes are not saved yet.")
        self.assertEqual(self.board.items(), [("bread", False)])
        self.board.network.set("open")
        page.wait_until_saved()
        self.assertEqual(self.board.items(), [("tea", False), ("oat milk", True)])
        self.assertEqual(self.board.version(), 7)

    def test_a_change_whose_answer_is_lost_is_made_once(self):
        page = self.open()
        page.wait_for_state("Nothing to do.")
        self.board.network.set("deaf")
        page.add("milk")
        page.wait(lambda: self.board.items(), "the server to make the change")
        page.add("tea")
        page.wait_for_items("milk", "tea")
        self.board.network.set("open")
        page.wait_until_saved()
        self.assertEqual(self.board.items(), [("milk", False), ("tea", False)])
        self.assertEqual(self.board.version(), 2)

    def test_a_change_whose_answer_is_lost_is_shown_once_after_a_reload(self):
        page = self.open()
        page.wait_for_state("Nothing to do.")
        page.module("await navigator.serviceWorker.ready;")
        self.board.network.set("deaf")
        page.add("milk")
        page.wait(lambda: page.stored_version() == 1, "the list with the change to be stored")
        self.goOffline(page)
        self.driver.refresh()
        page.wait_for_state("1 change is not saved yet.")
        page.wait_for_items("milk")
        self.board.network.set("open")
        page.wait_until_saved()
        self.assertEqual(self.board.items(), [("milk", False)])

    def test_changes_are_kept_while_a_proxy_refuses_them(self):
        page = self.open()
        page.wait_for_state("Nothing to do.")
        self.board.network.set("closed")
        page.add("milk")
        page.wait_for_text("#failure", "The server does not accept changes at present. Sign in first.")
        page.wait_for_state("1 change is not saved yet.")
        self.board.network.set("open")
        page.wait_until_saved()
        page.wait(lambda: page.text("#failure") == "", "the message to disappear")
        self.assertFalse(page.shown("#discard"))
        self.assertEqual(self.board.items(), [("milk", False)])

    def test_changes_that_cannot_be_saved_can_be_discarded(self):
        page = self.open()
        page.wait_for_state("Nothing to do.")
        self.board.network.set("closed")
        page.add("milk")
        page.click("#discard")
        page.wait_for_items()
        page.wait(
            lambda: not page.module("return (await navigator.locks.query()).held.length;"),
            "the last attempt to send the change to end",
        )
        self.board.network.set("open")
        page.add("tea")
        page.wait_until_saved()
        self.assertEqual(self.board.items(), [("tea", False)])

    def test_a_browser_whose_numbers_were_used_gets_a_new_name(self):
        # A copy of the browser's data has used the next number, or a later one.
        for used in 1, 3:
            with self.subTest(used=used), Board() as self.board:
                page = self.open()
                page.add("milk")
                page.wait_until_saved()
                _, client, number = self.board.network.changes[-1]
                key = f'"{client}/{number + used}"'
                self.board.ask("POST", "/items", {"text": "copy"}, {"Idempotency-Key": key})
                page.add("tea", "jam")
                page.wait_until_saved()
                self.assertEqual([text for text, _ in self.board.items()], ["milk", "copy", "tea", "jam"])
                page.wait_for_items("milk", "copy", "tea", "jam")
                self.assertNotEqual(self.board.network.changes[-1][1], client)
                # The new name is used after a reload, too.
                self.driver.refresh()
                page.wait_for_items("milk", "copy", "tea", "jam")

    def test_only_one_page_gives_the_browser_a_new_name(self):
        page = self.open()
        page.wait_for_state("Nothing to do.")
        self.goOffline(page)
        page.add("milk")
        names = page.module("""
            const { Outbox } = await import("./outbox.js");
            const pages = [await Outbox.open({ changed() {} }), await Outbox.open({ changed() {} })];
            const { client, changes: [change] } = await pages[0].contents();
            const name = async () => (await pages[0].contents()).client;
            const names = [client];
            for (const page of pages) {
              await page.rename(client, change);
              names.push(await name());
            }
            await pages[0].confirm(change, 1, 1);
            await pages[0].rename(names.at(-1), change);
            return [...names, await name()];""")
        self.assertNotEqual(names[0], names[1])
        self.assertEqual(len(set(names[1:])), 1)

    def test_a_kill_of_the_server_loses_nothing(self):
        page = self.open()
        page.add("milk")
        page.wait_until_saved()
        self.board.kill()
        page.wait_for_state(UNREACHABLE)
        page.add("tea")
        page.rename("tea", "green tea")
        self.board.start()
        page.wait_until_saved()
        self.assertEqual(self.board.items(), [("milk", False), ("green tea", False)])

    def test_the_page_reconnects_after_an_error_of_a_proxy(self):
        page = self.open()
        page.wait_for_state("Nothing to do.")
        self.goOffline(page)
        self.board.network.set("ill")
        page.add("milk")
        page.wait(
            lambda: any(line.startswith("GET /events") for line in self.board.network.refused),
            "the page to receive an error",
        )
        self.board.network.set("open")
        page.wait_until_saved()
        self.assertEqual(self.board.items(), [("milk", False)])

    def test_changes_survive_a_reload_without_a_connection(self):
        page = self.open()
        page.add("milk")
        page.wait_until_saved()
        page.module("await navigator.serviceWorker.ready;")
        self.driver.refresh()
        page.wait_for_items("milk")
        self.goOffline(page)
        page.add("tea")
        self.driver.refresh()
        page.wait_for_items("milk", "tea")
        page.wait_for_state("1 change is not saved yet. " + UNREACHABLE)
        self.board.network.set("open")
        page.wait_until_saved()
        self.assertEqual(self.board.items(), [("milk", False), ("tea", False)])

    def test_a_page_sends_the_changes_of_a_closed_page(self):
        page = self.open()
        page.wait_for_state("Nothing to do.")
        self.goOffline(page)
        page.add("milk")
        page.wait_for_state("1 change is not saved yet.")
        self.driver.get("about:blank")
        self.board.network.set("open")
        page = self.open()
        page.wait_until_saved()
        self.assertEqual(self.board.items(), [("milk", False)])

    def test_the_id_of_a_saved_item_survives_a_reload(self):
        page = self.open()
        page.wait_for_state("Nothing to do.")
        self.goOffline(page)
        page.add("milk")
        page.rename("milk", "oat milk")
        page.wait_for_state("2 changes are not saved yet.")
        self.board.network.set("additions")
        page.wait_for_state("1 change is not saved yet.")
        self.driver.refresh()
        page.wait_for_items("oat milk")
        self.board.network.set("open")
        page.wait_until_saved()
        self.assertEqual(self.board.items(), [("oat milk", False)])
        self.assertEqual(page.text("#trouble"), "")

    def test_two_pages_of_a_browser_share_their_changes(self):
        page = self.open()
        page.wait_for_state("Nothing to do.")
        first = self.driver.current_window_handle
        page = self.other()
        page.wait_for_state("Nothing to do.")
        self.goOffline(page)
        page.add("milk")
        second = self.driver.current_window_handle
        self.show(first)
        page.wait_for_items("milk")
        page.add("tea")
        page.rename("milk", "oat milk")
        self.show(second)
        page.wait_for_items("oat milk", "tea")
        self.board.network.set("open")
        page.wait_until_saved()
        self.show(first)
        page.wait_until_saved()
        self.assertEqual(self.board.items(), [("oat milk", False), ("tea", False)])
        self.assertEqual(self.board.version(), 3)

    def test_every_page_of_a_browser_shows_the_reason_of_a_refusal(self):
        self.board.ask("POST", "/items", {"text": "bread"})
        page = self.open()
        page.wait_for_items("bread")
        first = self.driver.current_window_handle
        page = self.other()
        page.wait_for_items("bread")
        self.goOffline(page)
        page.rename("bread", "rolls")
        self.board.ask("DELETE", "/items/1")
        self.board.network.set("open")
        for window in self.driver.current_window_handle, first:
            self.show(window)
            page.wait_for_text("#trouble", "A change was refused. There is no item 1.")

    def test_a_refused_change_disappears_with_a_message(self):
        self.board.ask("POST", "/items", {"text": "bread"})
        page = self.open()
        page.wait_for_items("bread")
        self.goOffline(page)
        page.rename("bread", "rolls")
        page.wait_for_items("rolls")
        self.board.ask("DELETE", "/items/1")
        page.add("milk")
        self.board.network.set("open")
        page.wait_until_saved()
        page.wait_for_items("milk")
        self.assertEqual(page.text("#trouble"), "A change was refused. There is no item 1.")

    def test_a_text_that_is_being_typed_is_kept_when_other_items_change(self):
        for text in "bread", "milk", "tea":
            self.board.ask("POST", "/items", {"text": text})
        page = self.open()
        page.wait_for_items("bread", "milk", "tea")
        page.inside("milk", ".text").send_keys(" and")
        self.board.ask("DELETE", "/items/1")
        page.wait(lambda: [text for text, _ in page.items()] == ["milk and", "tea"], "the removal")
        self.board.ask("PATCH", "/items/3", {"place": 0})
        page.wait(lambda: [text for text, _ in page.items()] == ["tea", "milk and"], "the move")
        # The row with the text itself moves.
        self.board.ask("PATCH", "/items/2", {"place": 0})
        page.wait(lambda: [text for text, _ in page.items()] == ["milk and", "tea"], "the second move")
        page.press(" honey" + Keys.ENTER)
        page.wait(
            lambda: self.board.items() == [("milk and honey", False), ("tea", False)], "the text to be saved"
        )

    def test_the_focus_never_moves_to_the_button_that_removes_another_item(self):
        for text in "bread", "milk", "tea":
            self.board.ask("POST", "/items", {"text": text})
        page = self.open()
        page.wait_for_items("bread", "milk", "tea")
        page.inside("milk", ".up").click()
        page.wait_for_items("milk", "bread", "tea")
        self.assertEqual(page.focused(), "text")
        page.inside("bread", ".text").click()
        self.board.ask("DELETE", "/items/1")
        page.wait_for_items("milk", "tea")
        self.assertEqual(page.focused(), "items")

    def test_a_text_that_is_being_typed_is_kept_when_the_item_is_saved(self):
        page = self.open()
        page.wait_for_state("Nothing to do.")
        self.goOffline(page)
        page.add("milk")
        field = page.inside("milk", ".text")
        field.send_keys(" and")
        self.board.network.set("open")
        page.wait_until_saved()
        page.press(" honey" + Keys.ENTER)
        page.wait(lambda: self.board.items() == [("milk and honey", False)], "the whole text to be saved")


if __name__ == "__main__":
    unittest.main()
