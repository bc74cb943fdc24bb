"""Tests of the log: the content of its rows, filters, and scrolling while new actions arrive."""

from selenium.webdriver.common.keys import Keys

import browser, fake
from pagetest import PageTest, unittest


class Rows(PageTest):
    def test_a_row_tells_time_name_text_duration_and_origin(self):
        page = self.open()
        self.program.add(
            name="Rate", text="Rate(id: 7)", time=1_760_000_000_250.0, duration=1250.0, origin="A.swift:3 f()"
        )
        row = page.row(1)
        self.assertRegex(page.text("#row-1 .cell-time"), r"^\d\d:\d\d:\d\d\.250$")
        self.assertEqual(page.text("#row-1 .cell-name"), "Rate")
        self.assertEqual(page.text("#row-1 .cell-text"), "(id: 7)")
        self.assertEqual(page.text("#row-1 .cell-duration"), "1.25 ms")
        self.assertEqual(page.text("#row-1 .cell-origin"), "A.swift:3 f()")
        self.assertEqual(row.get_attribute("role"), "option")

    def test_what_is_not_known_of_an_action_is_left_blank(self):
        page = self.open()
        self.program.add(time=None, duration=None, origin=None)
        page.row(1)
        for cell in ("time", "duration", "origin"):
            self.assertEqual(page.text(f"#row-1 .cell-{cell}"), "")

    def test_an_origin_that_comes_later_is_filled_in(self):
        page = self.open()
        self.program.add(2, origin=None)
        page.type("#search", "late.swift")
        page.wait_for_text("#log-empty", "No action matches")
        self.program.send_origins({2: "Late.swift:7 g()", 99: "Gone.swift:1 h()"})
        page.wait_for_text("#row-2 .cell-origin", "Late.swift:7 g()")
        page.wait_for_text("#detail-facts", "Late.swift:7 g()")
        page.type("#search", "")
        page.row(1)
        self.assertEqual(page.text("#row-1 .cell-origin"), "")

    def test_times_can_be_told_since_the_action_before(self):
        page = self.open(count=2)
        page.click("#times")
        page.wait_for_text("#row-2 .cell-time", "+0.137 s")

    def test_skipped_undone_amended_and_current_rows_say_so(self):
        page = self.open(count=5)
        store = self.program.store
        store.current = 3
        store.entries[0]["isSkipped"] = store.entries[1]["isAmended"] = True
        self.program.send(store.log(store.entries[:2]))
        for number, word in ((1, "skipped"), (2, "amended"), (3, "current"), (4, "undone"), (5, "undone")):
            page.wait(lambda: word in page.classes(number), f"entry {number} to be {word}")
            if word != "current":
                self.assertEqual(page.text(f"#row-{number} .cell-state"), word)

    def test_an_action_that_took_longer_than_a_frame_stands_out(self):
        page = self.open()
        self.program.add(duration=15_000.0)
        self.program.add(duration=17_000.0)
        self.assertNotIn("slow", page.classes(1))
        self.assertIn("slow", page.classes(2))

    def test_the_base_stands_before_the_first_action(self):
        page = self.open(count=2)
        page.row(2)
        self.assertEqual(page.names(), ["Base", "SetTitle", "Rate"])

    def test_an_empty_log_says_that_it_waits_for_actions(self):
        page = self.open()
        page.wait_for_text("#log-empty", "No actions yet")


class Arrival(PageTest):
    def test_of_ten_thousand_actions_only_those_in_sight_are_on_the_page(self):
        page = self.open(count=10_000)
        page.row(10_000)
        self.assertLess(len(page.all("#rows .row")), 80)

    def test_actions_that_come_are_followed(self):
        page = self.open(count=200)
        self.program.add(300)
        page.wait(lambda: page.row(500).is_displayed(), "the newest action to be visible")

    def test_who_scrolled_away_keeps_what_is_seen(self):
        page = self.open(count=300)
        page.script("document.getElementById('rows').scrollTop = 2500")
        page.wait(lambda: page.shown("#newest"), "the button for the newest action")
        before = page.script("return document.getElementById('rows').scrollTop")
        self.program.add(500)
        page.wait_for_text("#count", "800 actions")
        self.assertEqual(page.script("return document.getElementById('rows').scrollTop"), before)

    def test_what_is_seen_stays_when_the_oldest_actions_are_forgotten(self):
        page = self.open(count=400)
        page.script("document.getElementById('rows').scrollTop = 5000")
        page.wait(lambda: page.shown("#newest"), "the button for the newest action")
        top = lambda: page.row(205).rect["y"]
        before = top()
        store = self.program.store
        store.entries = store.entries[100:]
        self.program.send(store.log([]))
        page.wait_for_text("#count", "300 actions")
        page.wait(lambda: top() == before, "the row to keep its position")

    def test_the_newest_button_leads_back_to_following(self):
        page = self.open(count=300)
        page.script("document.getElementById('rows').scrollTop = 0")
        page.click("#newest")
        self.program.add(50)
        page.wait(lambda: page.row(350).is_displayed(), "the newest action to be visible")
        self.assertFalse(page.shown("#newest"))

    def test_actions_that_a_new_one_took_the_place_of_go(self):
        page = self.open(count=10)
        page.press("u", "u", "u")
        page.wait(lambda: "current" in page.classes(7), "three actions to be undone")
        self.program.add(name="Other")
        page.wait_for_text("#count", "8 actions")
        self.assertEqual(page.names()[-2:], ["Rate", "Other"])

    def test_a_log_that_is_told_anew_takes_the_place_of_the_one_before(self):
        page = self.open(count=1200)
        store = self.program.store
        store.entries, store.current = store.entries[:3], 3
        self.program.send(*store.whole())
        page.wait_for_text("#count", "3 actions")
        page.wait(lambda: page.names() == ["Base", "SetTitle", "Rate", "SetTitle"], "the three actions")

    def test_what_is_seen_stays_when_the_log_is_told_anew(self):
        page = self.open(count=3000)
        page.script("document.getElementById('rows').scrollTop = 40000")
        page.wait(lambda: page.row(1610), "the row in the middle")
        before = page.row(1610).rect["y"]
        first, *others = self.program.store.whole()
        self.program.send(first)
        page.wait_for_text("#count", "500 actions")
        self.program.send(*others)
        page.wait_for_text("#count", "3,000 actions")
        page.wait(lambda: page.row(1610).rect["y"] == before, "the row to keep its position")

    def test_the_selected_row_stays_in_sight_when_the_window_becomes_small(self):
        page = self.open(count=100)
        page.press("k")
        page.wait(lambda: "shown" in page.classes(99), "the selection")
        browser.resize(self.driver, (900, 420))
        self.addCleanup(browser.resize, self.driver, self.size)
        page.wait(lambda: page.script("return innerHeight") == 420, "the small window")
        page.settle()
        self.assertTrue(page.row(99).is_displayed())
        self.assertLess(page.row(99).rect["y"] + 20, page.one(".log-foot").rect["y"])


class Finding(PageTest):
    def names_shown(self, expected):
        self.page.wait(
            lambda: self.page.names() == expected,
            lambda: f"just {expected}, where {self.page.names()} are shown",
        )

    def open_three(self):
        page = self.open()
        self.program.add(name="AddMovie", text='AddMovie("Heat")', origin="List.swift:1 add()")
        self.program.add(name="Rate", text="Rate(5)", origin="Stars.swift:2 rate()")
        self.program.add(name="LoadPage", text="LoadPage(heat: 2)", origin="Pages.swift:9 load()")
        page.row(3)
        return page

    def test_search_finds_names_texts_and_origins_whatever_the_case(self):
        page = self.open_three()
        for text, names in (
            ("rate", ["Rate"]),
            ("HEAT", ["AddMovie", "LoadPage"]),
            ("pages.swift", ["LoadPage"]),
        ):
            page.type("#search", text)
            self.names_shown(names)

    def test_all_words_have_to_be_there_and_none_with_a_minus(self):
        page = self.open_three()
        page.type("#search", "heat add")
        self.names_shown(["AddMovie"])
        page.type("#search", "heat -add")
        self.names_shown(["LoadPage"])

    def test_what_is_searched_for_is_marked(self):
        page = self.open_three()
        page.type("#search", "heat")
        page.wait(lambda: {mark.text for mark in page.all("#rows mark")} == {"Heat", "heat"}, "two marks")

    def test_actions_that_come_are_searched_too(self):
        page = self.open_three()
        page.type("#search", "rate")
        self.names_shown(["Rate"])
        self.program.add(name="Rate")
        self.program.add(name="Other", text="Other()", origin=None)
        page.wait_for_text("#count", "5 actions · 2 shown")

    def test_a_name_can_be_hidden_and_be_the_only_one(self):
        page = self.open_three()
        page.click("#names-button")
        page.wait(lambda: page.shown("#names"), "the names")
        page.one("#names-button").send_keys("")
        page.all("#names input")[2].click()
        self.names_shown(["AddMovie", "LoadPage"])
        page.all("#names .small-button")[1].click()
        self.names_shown(["LoadPage"])
        self.assertEqual(page.text("#names-text"), "Only LoadPage")
        page.click("#names .link")
        self.names_shown(["Base", "AddMovie", "Rate", "LoadPage"])

    def test_h_hides_actions_of_the_selected_name_and_o_shows_no_others(self):
        page = self.open_three()
        page.select(2)
        page.press("h")
        self.names_shown(["AddMovie", "LoadPage"])
        page.press(Keys.ESCAPE)
        self.names_shown(["Base", "AddMovie", "Rate", "LoadPage"])
        page.select(3)
        page.press("o")
        self.names_shown(["LoadPage"])

    def test_only_actions_that_changed_a_path_are_shown(self):
        page = self.open(count=120)
        self.program.store.changes[70] = [
            {"path": "movies[3].title", "kind": "changed", "before": "a", "after": "b"}
        ]
        page.type("#path", "movies.3.title")
        page.wait_for_text("#count", "120 actions · 1 shown")
        page.type("#path", "movies[3]")
        page.wait_for_text("#count", "120 actions · 2 shown")
        self.names_shown(["SetTitle", "AddMovie"])

    def test_while_the_program_is_asked_what_changed_a_path_the_count_tells_how_many_are_left(self):
        page = self.open(count=60)
        page.wait(lambda: page.all(".change"), "the changes of the current action")
        self.program.held.add("find")
        page.type("#path", "count")
        page.wait_for_text("#count", "60 actions · 0 shown · 60 not searched yet")
        page.wait_for_text("#log-empty", "Looking for actions")
        self.program.held.clear()
        page.wait_for_text("#count", "60 actions · 60 shown")

    def finds(self):
        """Returns the requests of the page for the actions that changed a path."""
        asked = [request for request in self.program.requests if request["type"] == "find"]
        return [(request["path"], request["from"], request["limit"]) for request in asked]

    def assert_finds(self, *expected):
        """Expects the page to have sent only the given requests.

        The answer to the last request can arrive before the program records the request.
        """
        self.page.wait(lambda: len(self.finds()) >= len(expected), "all requests of the page")
        self.assertEqual(self.finds(), list(expected))

    def test_what_changed_a_path_is_asked_some_actions_at_a_time_and_each_action_once(self):
        page = self.open(count=50)
        page.put("#path", "count")
        page.wait_for_text("#count", "50 actions · 50 shown")
        self.assert_finds(("count", 50, 20), ("count", 30, 20), ("count", 10, 10))
        self.program.add(2)
        page.wait_for_text("#count", "52 actions · 52 shown")
        self.assert_finds(("count", 50, 20), ("count", 30, 20), ("count", 10, 10), ("count", 52, 2))

    def test_what_comes_while_the_program_looks_has_nothing_looked_at_again(self):
        page = self.open(count=30)
        self.program.held.add("find")
        page.put("#path", "count")
        page.wait_for_text("#count", "30 not searched yet")
        self.program.add()
        page.wait_for_text("#count", "31 not searched yet")
        self.program.held.clear()
        page.wait_for_text("#count", "31 actions · 31 shown")
        self.assert_finds(("count", 30, 20), ("count", 31, 1), ("count", 10, 10))

    def test_a_path_that_the_program_will_not_look_for_is_asked_for_once(self):
        page = self.open(count=50)
        self.program.refusals["find"] = "The store has been released."
        page.type("#path", "c")
        page.wait_for_text("#log-empty", "No action matches")
        page.wait_for_text("#count", "50 actions · 0 shown")
        self.assert_finds(("c", 50, 20))

    def test_what_fits_no_filter_is_said_to_be_nothing(self):
        page = self.open_three()
        page.type("#search", "nothing of the kind")
        page.wait_for_text("#log-empty", "No action matches")
        page.click("#clear-filters")
        self.names_shown(["Base", "AddMovie", "Rate", "LoadPage"])
        self.assertEqual(page.one("#search").get_attribute("value"), "")

    def test_each_store_has_its_own_search(self):
        page = self.open(fake.Store(1, "Movies"), fake.Store(2, "Books"))
        self.program.add(3)
        page.type("#search", "Rate")
        self.names_shown(["Rate"])
        page.click("#stores [role=tab]:nth-child(2)")
        page.wait_for_text("#log-empty", "No actions yet")
        self.assertEqual(page.one("#search").get_attribute("value"), "")
        page.click("#stores [role=tab]:nth-child(1)")
        self.names_shown(["Rate"])


if __name__ == "__main__":
    unittest.main()
