"""Tests of the table of queries."""

from selenium.webdriver.common.keys import Keys

import fake
from fake import branch, leaf
from fakestore import query
from pagetest import PageTest, unittest


class Queries(PageTest):
    def open_table(self, *rows, count=3, **more):
        """Opens the table of a store whose cache has the given rows, and at given entries other rows."""
        store = fake.Store(1, "Films")
        store.queries = {None: list(rows), **{int(name[1:]): rows for name, rows in more.items()}}
        page = self.open(store, count=count, tab="queries")
        self.program.asked("queries")
        return page

    def catch_beats(self):
        """Lets the test call what the page of the next `open` would call once per second."""
        script = self.driver.execute_cdp_cmd(
            "Page.addScriptToEvaluateOnNewDocument",
            {
                "source": """
                    const set = setInterval;
                    window.beats = [];
                    window.setInterval = (run, pause) => (pause === 1000 ? beats.push(run) : set(run, pause));"""
            },
        )
        self.addCleanup(
            self.driver.execute_cdp_cmd, "Page.removeScriptToEvaluateOnNewDocument", script
        )

    def table(self):
        """Returns the texts of the cells of all rows."""
        return self.page.script("""
            const parts = ".queries-chip, .queries-name, .queries-about, button, p";
            const text = (cell) => [...cell.querySelectorAll(parts)].filter((part) => !part.hidden)
              .map((part) => part.textContent).filter(Boolean).join(" ") || cell.innerText;
            const rows = [...document.querySelectorAll(".queries tbody tr")];
            return rows.map((row) => [...row.cells].map(text));""")

    def names(self):
        return [row[0] for row in self.table()]

    def wait_for_names(self, *names):
        self.page.wait(lambda: self.names() == list(names), lambda: f"{names}, not {self.names()}")

    # The tab

    def test_only_a_store_with_a_query_cache_has_the_tab(self):
        store, other = fake.Store(1, "Films"), fake.Store(2, "Settings")
        store.queries = {None: [query("AllFilms()")]}
        page = self.open(store, other, count=1, tab="queries")
        self.wait_for_names("AllFilms()")
        page.press("]")
        page.wait(lambda: not page.shown("#tab-queries"), "the tab to be hidden")
        self.assertTrue(page.shown(".pane-changes"))
        page.press("4")
        self.assertTrue(page.shown(".pane-changes"))
        page.press("[")
        page.wait(lambda: page.shown(".queries"), "the table again")

    def test_arrows_leave_out_a_tab_that_the_store_does_not_have(self):
        page = self.open(count=1)
        page.click("#tab-changes")
        page.press(Keys.ARROW_LEFT)
        page.wait(lambda: page.focused() == "tab-action", "the last tab")

    # Rows

    def test_a_row_tells_query_status_subscribers_tags_and_time(self):
        page = self.open_table(
            query(
                "FilmByID(id: 7)",
                subscribers=1_200,
                tags=["Film(7)"],
                fulfilledAt=1_760_000_003_000.0,
                isInvalidated=True,
                pendingEdits=2,
            )
        )
        page.wait(lambda: self.table(), "a row")
        (row,) = self.table()
        self.assertEqual(
            row[:4], ["FilmByID(id: 7)", "success invalidated 2 pending edits", "1,200", "Film(7)"]
        )
        self.assertRegex(row[4], r"^\d\d:\d\d:23.000$")

    def test_a_failure_is_told_below_the_status(self):
        page = self.open_table(
            query("FilmByID(id: 7)", "failed", error="no answer"),
            query("FilmByID(id: 8)", "fetching", failedAttempts=1, error="timed out"),
        )
        page.wait(lambda: len(self.table()) == 2, "two rows")
        told = [row[1] for row in self.table()]
        self.assertEqual(told, ["failed no answer", "fetching attempt 2 timed out"])

    def test_tags_that_were_left_out_are_counted(self):
        page = self.open_table(query("AllFilms()", tags=["Film(list)", "Film(1)"], tagCount=31))
        page.wait(lambda: self.table(), "a row")
        self.assertEqual(self.table()[0][3], "Film(list) Film(1) 29 more")

    def test_a_query_whose_text_lacks_its_type_tells_the_type(self):
        self.open_table(query("everything", type="AllFilms"))
        self.wait_for_names("everything AllFilms")

    def test_a_redacted_entry_tells_nothing_else(self):
        page = self.open_table({"query": "SignIn(user: •••)", "isRedacted": True})
        page.wait(lambda: self.table(), "a row")
        self.assertEqual(self.table(), [["SignIn(user: •••)", "redacted", "—", "", ""]])

    def test_text_of_the_program_is_never_markup(self):
        hostile = "<img src=x onerror=window.hit=1>"
        page = self.open_table(query(hostile, "failed", type=hostile, tags=[hostile], error=hostile))
        page.wait(lambda: self.table(), "a row")
        self.assertEqual(self.table()[0][3], hostile)
        self.assertEqual(page.all(".queries img"), [])

    def test_a_cache_without_entries_says_so(self):
        page = self.open_table()
        page.wait_for_text(".pane-queries", "The query cache has no entries.")

    # Updates

    def test_the_table_follows_the_state(self):
        page = self.open_table(query("FilmByID(id: 7)", "loading"))
        page.wait(lambda: self.table()[0][1] == "loading", "the request")
        page.script("document.querySelector('.queries-link').focus()")
        self.program.store.queries[None] = [query("FilmByID(id: 7)"), query("AllFilms()")]
        self.program.add()
        self.wait_for_names("FilmByID(id: 7)", "AllFilms()")
        self.assertEqual(self.table()[0][1], "success")
        self.assertEqual(page.focused(), "queries-link")

    def test_the_table_follows_subscribers_without_actions(self):
        self.catch_beats()
        page = self.open_table(query("FilmByID(id: 7)", subscribers=1))
        page.wait(lambda: self.table()[0][2] == "1", "the subscriber")
        self.program.store.queries[None] = [query("FilmByID(id: 7)", subscribers=0)]
        page.script("beats.forEach((beat) => beat())")
        page.wait(lambda: self.table()[0][2] == "0", "no subscriber")

    def test_a_page_that_shows_another_tab_does_not_ask_for_queries(self):
        self.catch_beats()
        page = self.open_table(query("AllFilms()"))
        self.wait_for_names("AllFilms()")
        page.click("#tab-changes")
        self.program.add()
        page.wait(lambda: "movies[4]" in page.text(".pane-changes"), "the changes of the action")
        before = len(self.program.requests)
        page.script("beats.forEach((beat) => beat())")
        self.program.add()
        page.wait(lambda: "movies[5]" in page.text(".pane-changes"), "the changes of the action")
        types = {request["type"] for request in self.program.requests[before:]}
        self.assertNotIn("queries", types)

    def test_a_state_of_the_past_tells_its_entries_without_subscribers(self):
        page = self.open_table(
            query("FilmByID(id: 7)", subscribers=1), _2=[query("AllFilms()", subscribers=None)]
        )
        self.wait_for_names("FilmByID(id: 7)")
        page.select(2)
        self.wait_for_names("AllFilms()")
        self.assertEqual(self.table()[0][2], "—")
        page.wait_for_text(".queries-text", "only for the current state")

    # Many entries

    def test_a_table_with_many_entries_is_shown_in_sections(self):
        store = fake.Store(1, "Films")
        store.breadth = 2
        store.queries = {None: [query(f"FilmByID(id: {number})") for number in range(5)]}
        page = self.open(store, count=1, tab="queries")
        self.wait_for_names("FilmByID(id: 0)", "FilmByID(id: 1)")
        page.wait_for_text(".queries-text", "Entries 1–2 of 5")
        before, after = page.all(".queries-foot button")
        self.assertFalse(before.is_enabled())
        after.click()
        self.wait_for_names("FilmByID(id: 2)", "FilmByID(id: 3)")
        after.click()
        self.wait_for_names("FilmByID(id: 4)")
        self.assertFalse(after.is_enabled())
        before.click()
        self.wait_for_names("FilmByID(id: 3)", "FilmByID(id: 4)")

    def test_a_header_sorts_the_rows_in_both_directions_and_then_no_longer(self):
        rows = [query(f"FilmByID(id: {number})", subscribers=number % 5) for number in (3, 10, 9)]
        page = self.open_table(*rows)
        self.wait_for_names("FilmByID(id: 3)", "FilmByID(id: 10)", "FilmByID(id: 9)")
        header = page.one("thead .queries-query")
        button = page.one("thead .queries-query button")
        button.send_keys(Keys.ENTER)
        self.wait_for_names("FilmByID(id: 3)", "FilmByID(id: 9)", "FilmByID(id: 10)")
        self.assertEqual(header.get_attribute("aria-sort"), "ascending")
        button.click()
        self.wait_for_names("FilmByID(id: 10)", "FilmByID(id: 9)", "FilmByID(id: 3)")
        button.click()
        self.wait_for_names("FilmByID(id: 3)", "FilmByID(id: 10)", "FilmByID(id: 9)")
        self.assertIsNone(header.get_attribute("aria-sort"))
        page.click("thead .queries-subscribers button")
        self.wait_for_names("FilmByID(id: 10)", "FilmByID(id: 3)", "FilmByID(id: 9)")

    # Use

    def test_a_query_leads_to_its_entry_in_the_state(self):
        page = self.open_table(query("FilmByID(id: 7)"))
        self.program.store.trees[3] = branch(
            "state",
            "S",
            "",
            [
                branch(
                    "queries",
                    "QueryCache",
                    "",
                    [
                        branch(
                            "entries",
                            "OrderedState<QueryEntry>",
                            "1 element",
                            [branch("FilmByID(id: 7)", "QueryEntry", "", [leaf("value", "Film", "Ran")])],
                        )
                    ],
                )
            ],
        )
        page.click(".queries-link")
        page.wait(
            lambda: page.text(".pane-state .value-path") == 'queries.entries["FilmByID(id: 7)"]',
            "the entry in the tree",
        )

    def test_the_table_is_a_table_for_assistive_technologies(self):
        page = self.open_table(query("AllFilms()"))
        self.wait_for_names("AllFilms()")
        found = page.script("""
            const table = document.querySelector(".queries table");
            return [table.caption.textContent, [...table.tHead.rows[0].cells].map((cell) => cell.scope),
              table.tBodies[0].rows[0].cells[0].scope, document.querySelector(".queries-scroll").tabIndex];""")
        self.assertEqual(found, ["1 entry of the query cache", ["col"] * 5, "row", 0])

    def test_the_keys_of_the_log_do_not_move_it_while_the_table_is_scrolled(self):
        page = self.open_table(query("AllFilms()"))
        page.script("document.querySelector('.queries-scroll').focus()")
        page.press(Keys.ARROW_UP, Keys.HOME)
        page.settle()
        self.assertIn("#3", page.text("#detail-facts"))


if __name__ == "__main__":
    unittest.main()
