"""Tests of the page with a board of two processes: the page continues at the other process."""

import unittest

from board import SharedBoard
from page import UNREACHABLE, BoardPage, PageTest


class ProcessesTest(PageTest):
    def setUp(self):
        self.board = self.enterContext(SharedBoard())
        self.first, self.second, self.network = self.board.first, self.board.second, self.board.network
        super().setUp()

    def open(self):
        page = BoardPage(self.driver, self.board.address)
        page.wait_for_state("Nothing to do.")
        return page

    def other(self, process):
        """Opens a page at a process. Its address is another one, so it shares no data with other pages."""
        self.driver.switch_to.new_window("tab")
        return BoardPage(self.driver, f"http://127.0.0.1:{process.port}/")

    def sent(self, process):
        """Returns the numbers of the changes that the page has sent to a process."""
        return [number for port, _, number in self.network.changes if port == process.port]

    def check_sent(self, process, *numbers):
        """Checks the numbers of the changes that the page has sent to a process.

        A change can be sent several times, but never after a newer one.
        """
        sent = self.sent(process)
        self.assertEqual(sorted(set(sent)), list(numbers))
        self.assertEqual(sent, sorted(sent))

    def test_changes_arrive_at_another_process_after_a_kill(self):
        page = self.open()
        window = self.driver.current_window_handle
        page.add("milk", "tea")
        page.inside("milk", "[type=checkbox]").click()
        page.wait(lambda: self.second.version() == 3, "the changes to arrive")
        page.wait_until_saved()
        self.check_sent(self.first, 1, 2, 3)
        self.first.kill()
        page.wait_for_state(UNREACHABLE)

        # A change of someone else, and changes of the page, which has no connection.
        self.second.ask("POST", "/items", {"text": "bread"})
        page.add("jam", "rice", "salt")
        page.rename("jam", "plum jam")
        page.inside("tea", ".remove").click()
        page.rename("milk", "oat milk")
        page.inside("rice", ".up").click()
        page.wait_for_items("oat milk", "rice", "plum jam", "salt")
        page.wait_for_state("7 changes are not saved yet.")
        self.assertEqual(self.second.items(), [("milk", True), ("tea", False), ("bread", False)])

        self.network.move(self.second.port)
        page.wait_until_saved()
        items = [("oat milk", True), ("rice", False), ("bread", False), ("plum jam", False), ("salt", False)]
        self.assertEqual(self.second.items(), items)
        # Three changes before the kill, one of someone else, and seven after it.
        self.assertEqual(self.second.version(), 11)
        self.check_sent(self.second, 4, 5, 6, 7, 8, 9, 10)
        page.wait_for_items("oat milk", "rice", "bread", "plum jam", "salt")
        self.assertEqual(page.text("#trouble"), "")

        # Another page at the second process shows everything, and its changes reach the first page.
        other = self.other(self.second)
        other.wait_for_items("oat milk", "rice", "bread", "plum jam", "salt")
        other.rename("salt", "sea salt")
        other.wait_until_saved()
        self.show(window)
        page.wait_for_items("oat milk", "rice", "bread", "plum jam", "sea salt")

        # The process that was killed has the same list after its start.
        self.first.start()
        self.assertEqual(self.first.ask("GET", "/items"), self.second.ask("GET", "/items"))

    def test_a_change_whose_answer_is_lost_at_one_process_is_made_once_at_another(self):
        page = self.open()
        page.add("bread")
        page.wait_until_saved()
        self.network.set("deaf")
        page.add("milk")
        # The first process has made the change, and the second one knows it.
        page.wait(lambda: len(self.second.items()) > 1, "the change to arrive")
        page.rename("milk", "oat milk")
        page.wait_for_state("2 changes are not saved yet.")
        self.first.kill()
        self.network.move(self.second.port)
        page.wait_until_saved()
        # The page has sent the change again. The answer contains the id, which the next change needs.
        self.check_sent(self.second, 2, 3)
        self.assertEqual(self.second.items(), [("bread", False), ("oat milk", False)])
        self.assertEqual(self.second.version(), 3)
        page.wait_for_items("bread", "oat milk")
        self.assertEqual(page.text("#trouble"), "")

    def test_a_page_continues_when_the_network_moves_between_the_processes(self):
        page = self.open()
        window = self.driver.current_window_handle
        self.other(self.first)
        other = self.driver.current_window_handle
        self.show(window)
        texts = []
        for turn in range(1, 9):
            process = self.second if turn % 2 == 1 else self.first
            # At each process, every second answer is lost before the network moves.
            isLost = turn % 4 in (2, 3)
            self.network.set("deaf" if isLost else "open")
            page.add(f"item {turn}")
            if isLost:
                page.wait(lambda: len(process.items()) >= turn, "the change to arrive")
            self.network.move(process.port)
            page.wait_until_saved()
            if isLost:
                self.assertIn(turn, self.sent(process))
            texts.append(f"item {turn}")
            self.assertEqual(process.items(), [(text, False) for text in texts])
            self.assertEqual(process.version(), turn)
            page.wait_for_items(*texts)
        self.show(other)
        page.wait_for_items(*texts)


if __name__ == "__main__":
    unittest.main()
