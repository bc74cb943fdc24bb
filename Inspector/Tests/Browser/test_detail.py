"""Tests of the details of the selected action: its changes, the state after it, and the action itself."""

from selenium.webdriver.common.keys import Keys

import fake
from fake import branch, leaf
from pagetest import PageTest, unittest


class Changes(PageTest):
    def test_changes_tell_path_before_and_after(self):
        page = self.open(count=3)
        self.program.store.changes[2] = [
            {"path": "title", "kind": "changed", "before": '"Heat"', "after": '"Ran"'},
            {"path": "movies[1]", "kind": "removed", "before": "Movie(1)", "after": None},
            {"path": "movies[2]", "kind": "moved", "before": "0", "after": "1"},
        ]
        page.select(2)
        page.wait(lambda: len(page.all(".change")) == 3, "three changes")
        self.assertEqual([kind.text for kind in page.all(".change-kind")], ["changed", "removed", "moved"])
        self.assertEqual(page.text(".change-path"), "title")
        self.assertEqual(page.text(".change-before"), '"Heat"')
        self.assertEqual(page.text(".change-after"), '"Ran"')
        self.assertEqual(page.one("#tab-changes").get_attribute("data-count"), "3")

    def test_an_action_that_changed_nothing_says_so(self):
        page = self.open(count=1)
        store = self.program.store
        store.changes_of = lambda number: []
        self.program.add()
        page.wait_for_text(".pane-changes", "changed nothing")

    def test_a_path_leads_to_its_place_in_the_state(self):
        page = self.open(count=30)
        page.select(30)
        page.wait(lambda: len(page.all(".change-path")) == 2, "two changes")
        page.all(".change-path")[1].click()
        page.wait(lambda: page.text(".pane-state .value-path") == "movies[30]", "the place in the tree")
        self.assertTrue(page.one(".pane-state .tree-row[aria-selected=true]").is_displayed())

    def test_a_path_can_be_made_the_filter(self):
        page = self.open(count=30)
        page.select(30)
        page.wait(lambda: len(page.all(".change-only")) == 2, "two changes")
        page.all(".change-only")[1].click()
        page.wait_for_text("#count", "30 actions · 1 shown")

    def test_a_refusal_stands_where_the_changes_would(self):
        page = self.open(count=3)
        page.wait(lambda: page.all(".change"), "changes")
        self.program.refusals["changes"] = "The history has not kept that state."
        page.select(1)
        page.wait_for_text(".pane-changes .trouble", "The history has not kept that state.")

    def test_while_the_log_grows_the_head_names_the_action_whose_changes_stand_below(self):
        page = self.open(count=3)
        page.wait(lambda: "movies[3]" in page.text(".pane-changes"), "the changes of entry 3")
        self.program.held.add("changes")
        self.program.add()
        page.wait_for_text("#count", "4 actions")
        self.assertIn("#3 ", page.text("#detail-facts"))
        self.program.held.clear()
        page.wait_for_text("#detail-facts", "#4 ")
        self.assertIn("movies[4]", page.text(".pane-changes"))

    def test_what_came_to_a_set_is_a_change_of_the_set(self):
        page = self.open(count=1)
        self.program.store.changes[2] = [
            {"path": 'tags["seen"]', "kind": "changed", "before": None, "after": "+ 7"}
        ]
        self.program.add()
        page.wait(lambda: page.text(".change-after") == "+ 7", "the change of the set")
        self.assertEqual(page.text(".change-kind"), "changed")

    def test_changes_that_the_program_could_not_tell_are_not_called_none(self):
        store = fake.Store(1, "Large")
        store.changes_of = lambda number: []
        store.is_cut = True
        store.add()
        page = self.open(store)
        page.wait_for_text(".pane-changes", "too large to show")

    def test_without_a_selection_the_current_action_is_shown(self):
        page = self.open(count=3)
        page.wait_for_text("#detail-facts", "#3")
        self.program.add()
        page.wait_for_text("#detail-facts", "#4")
        page.select(2)
        self.program.add()
        page.wait_for_text("#count", "5 actions")
        self.assertIn("#2", page.text("#detail-facts"))


class State(PageTest):
    def test_the_state_is_that_behind_the_selected_action(self):
        page = self.open(count=9, tab="state")
        page.select(4)
        page.wait(lambda: page.tree()[1].startswith("count 4"), "the state after entry 4")
        page.select(0)
        page.wait(lambda: page.tree()[1].startswith("count 0"), "the base")

    def test_the_address_of_the_state_is_shown_and_can_be_copied(self):
        page = self.open(count=2, tab="state")
        page.wait(lambda: page.tree()[1].startswith("count 2"), "the state")
        self.assertEqual(page.all(".address"), [])
        self.program.store.address = "movies://films/7?q=<b>x</b>"
        self.program.add(1)
        page.wait_for_text(".address-text", "movies://films/7?q=<b>x</b>")
        self.assertTrue(page.one(".address button").is_displayed())
        self.program.store.address = None
        self.program.add(1)
        page.wait(lambda: not page.all(".address"), "a state without an address")

    def test_the_current_state_is_followed(self):
        page = self.open(count=2, tab="state")
        page.wait(lambda: page.tree()[1].startswith("count 2"), "the state")
        self.program.add(5)
        page.wait(lambda: page.tree()[1].startswith("count 7"), "the state after entry 7")

    def test_branches_stay_open_when_another_action_is_selected(self):
        page = self.open(count=5, tab="state")
        page.wait(lambda: len(page.tree()) == 5, "the tree, its root open")
        page.all(".pane-state .tree-row:not([hidden])")[2].click()
        page.wait(lambda: len(page.tree()) == 10, "the movies to be open")
        page.select(3)
        page.wait(lambda: page.tree()[1].startswith("count 3"), "the state after entry 3")
        self.assertEqual(len(page.tree()), 8)

    def test_what_the_action_changed_is_marked_and_what_stands_above_too(self):
        page = self.open(count=5, tab="state")
        page.select(5)
        page.wait(lambda: any("was 4" in row for row in page.tree()), "the count to be marked")
        marks = page.script("""
            return Object.fromEntries([...document.querySelectorAll(".pane-state .tree-row:not([hidden])")]
              .map((row) => [row.querySelector(".tree-label").textContent, row.dataset.mark]))""")
        self.assertEqual(
            marks, {"state": "within", "count": "changed", "movies": "within", "deep": "", "password": ""}
        )

    def test_a_branch_that_was_cut_is_asked_for_when_it_is_opened(self):
        page = self.open(count=1, tab="state")
        page.wait(lambda: len(page.tree()) == 5, "the tree")
        page.all(".pane-state .tree-row:not([hidden])")[3].click()
        self.program.asked("state", path=["deep"])
        page.wait(lambda: "bottom 42 Int" in page.tree(), "the nested value")

    def test_a_branch_with_more_than_was_sent_says_so(self):
        page = self.open(count=300, tab="state")
        page.wait(lambda: len(page.tree()) == 5, "the tree")
        page.all(".pane-state .tree-row:not([hidden])")[2].click()
        page.one(".pane-state .tree").send_keys(Keys.END, Keys.ARROW_UP, Keys.ARROW_UP)
        page.wait(lambda: "more than these 200: show" in page.tree(), "the row about more elements")
        page.one(".pane-state .tree").send_keys(Keys.ENTER)
        page.wait(
            lambda: "more than these 200, which the program does not send" in page.tree(),
            "the row about the elements that are not available",
        )

    def test_a_redacted_value_says_that_it_is_and_cannot_be_copied(self):
        page = self.open(count=1, tab="state")
        page.wait(lambda: "password redacted String" in page.tree(), "the redacted row")
        page.all(".pane-state .tree-row:not([hidden])")[4].click()
        page.wait_for_text(".pane-state .value", "This field is redacted")
        self.assertNotIn("Copy", page.text(".pane-state .value-tools"))

    def test_arrows_walk_open_and_close(self):
        page = self.open(count=3, tab="state")
        page.wait(lambda: len(page.tree()) == 5, "the tree")
        tree = page.one(".pane-state .tree")
        tree.send_keys(Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ARROW_RIGHT)
        page.wait(lambda: len(page.tree()) == 8, "the movies to be open")
        tree.send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
        page.wait(
            lambda: page.text(".pane-state .value-path") == "movies[1].id", "the cursor to be in the movie"
        )
        tree.send_keys(Keys.ARROW_LEFT, Keys.ARROW_LEFT, Keys.ARROW_LEFT, Keys.ARROW_LEFT)
        page.wait(lambda: len(page.tree()) == 5, "the movies to be closed")
        self.assertEqual(page.text(".pane-state .value-path"), "movies")

    def test_labels_with_dots_and_brackets_are_found(self):
        store = fake.Store(1, "Odd")
        store.trees[1] = branch(
            "state",
            "S",
            "",
            [
                branch(
                    "files",
                    "[String: Int]",
                    "",
                    [leaf("a.b[0].swift", "Int", "1"), leaf("a", "Int", "2"), leaf("two words", "Int", "3")],
                )
            ],
        )
        store.changes[1] = [
            {"path": "files[a.b[0].swift]", "kind": "changed", "before": "0", "after": "1"},
            {"path": 'files["two words"]', "kind": "changed", "before": "4", "after": "3"},
        ]
        store.add()
        page = self.open(store)
        page.click(".change-path")
        page.wait(lambda: "a.b[0].swift 1 was 0 Int" in page.tree(), "the mark at the odd label")
        self.assertIn("two words 3 was 4 Int", page.tree())

    def test_a_place_in_the_state_can_be_made_the_filter(self):
        store = fake.Store(1, "Odd")
        store.trees[2] = branch(
            "state", "S", "", [branch("tags", "[String: Int]", "", [leaf("a.b", "Int", "1")])]
        )
        store.add(3)
        store.changes[1] = [{"path": 'tags["a.b"]', "kind": "changed", "before": "0", "after": "1"}]
        store.changes[2] = [{"path": "tags[a]", "kind": "changed", "before": "0", "after": "1"}]
        page = self.open(store, tab="state")
        page.select(2)
        page.wait(lambda: len(page.tree()) == 2, "the state")
        page.one(".pane-state .tree").send_keys(Keys.ARROW_DOWN, Keys.ARROW_RIGHT, Keys.ARROW_DOWN)
        page.wait_for_text(".pane-state .value-path", 'tags["a.b"]')
        page.click(".pane-state .value-tools button:last-child")
        page.wait_for_text("#count", "3 actions · 1 shown")
        self.assertEqual(page.one("#path").get_attribute("value"), 'tags["a.b"]')


class Action(PageTest):
    def test_an_action_is_shown_as_a_tree_and_as_json(self):
        page = self.open(count=4, tab="action")
        page.select(4)
        page.wait(
            lambda: page.tree() == ["LoadPage LoadPage", "id 4 Int", 'title "Film 4" String'], "the tree"
        )
        page.click("#detail-tools button")
        page.wait_for_text(".json", '{\n  "id": 4,\n  "title": "Film 4"\n}')

    def test_json_is_laid_out_and_numbers_keep_their_digits(self):
        page = self.open()
        text = '{"a":[1,12345678901234567890,{}],"b":{"c":"x\\\\"y: {","d":[]},"e":null}'
        found = page.module(f"return (await import('./json.js')).pretty('{text}')")
        self.assertEqual(
            found,
            "\n".join(
                [
                    "{",
                    '  "a": [',
                    "    1,",
                    "    12345678901234567890,",
                    "    {}",
                    "  ],",
                    '  "b": {',
                    '    "c": "x\\"y: {",',
                    '    "d": []',
                    "  },",
                    '  "e": null',
                    "}",
                ]
            ),
        )

    def test_the_base_has_no_action(self):
        page = self.open(count=1, tab="action")
        page.select(0)
        page.wait_for_text(".pane-action", "The base has no action.")


class Copying(PageTest):
    def copied(self, selector):
        """Returns the text on the clipboard after a click."""
        self.page.script("""
            window.clip = null;
            Object.defineProperty(navigator, "clipboard", {
              configurable: true, value: { writeText: async (text) => { window.clip = text; } } });""")
        self.page.click(selector)
        return self.page.wait(lambda: self.page.script("return window.clip"), "something on the clipboard")

    def test_an_action_is_copied_as_json_just_as_it_came(self):
        page = self.open(count=2, tab="action")
        page.wait(lambda: len(page.tree()) == 3, "the action")
        self.assertEqual(self.copied("#detail-tools button:last-child"), '{"id":2,"title":"Film 2"}')

    def test_a_state_is_copied_as_an_outline(self):
        page = self.open(count=1, tab="state")
        page.wait(lambda: len(page.tree()) == 5, "the tree")
        self.assertEqual(
            self.copied("#detail-tools button:last-child").split("\n")[:3],
            ["state: ", "  count: 1", "  movies: 1 elements"],
        )

    def test_a_value_is_copied_with_the_signs_that_the_page_spells_out(self):
        store = fake.Store(1, "Odd")
        store.trees[1] = branch("state", "S", "", [leaf("name", "String", '"a\u202eb"')])
        store.add()
        page = self.open(store, tab="state")
        page.wait(lambda: page.tree()[1:] == ['name "a\\u{202E}b" String'], "the leaf")
        page.all(".pane-state .tree-row:not([hidden])")[1].click()
        page.wait_for_text(".pane-state .value-path", "name")
        self.assertEqual(self.copied(".pane-state .value-tools button"), '"a\u202eb"')


if __name__ == "__main__":
    unittest.main()
