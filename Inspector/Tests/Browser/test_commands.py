"""Tests of the commands for the history: buttons, keys, the slider, and the dialogs."""

import json, os, tempfile

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

import fake
from pagetest import PageTest, unittest

DROP = """
    const data = new DataTransfer();
    data.items.add(new File([arguments[0]], "history.json"));
    for (const name of ["dragenter", "dragover", "drop"]) {
      const options = { dataTransfer: data, bubbles: true, cancelable: true };
      document.body.dispatchEvent(new DragEvent(name, options));
    }"""


class Buttons(PageTest):
    def test_each_button_sends_its_command(self):
        page = self.open(count=5)
        page.select(3)
        for tool, command, entry in (
            ("undo", "undo", None),
            ("redo", "redo", None),
            ("jump", "jump", 3),
            ("skip", "skip", 3),
            ("skip", "unskip", 3),
            ("pause", "pause", None),
            ("pause", "resume", None),
            ("lock", "lock", None),
            ("lock", "unlock", None),
        ):
            page.click(f"#tool-{tool}")
            self.program.asked("command", command=command, entry=entry)
            page.wait(lambda: self.same_as_told(), "the page to show the new state")

    def same_as_told(self):
        """Returns whether the buttons show the state of the store, so that the test can click the next one."""
        store = self.program.store
        labels = [self.page.text(f"#tool-{tool}") for tool in ("pause", "lock", "skip")]
        return self.page.text("#timeline-position").startswith(f"{store.position} /") and labels == [
            "Resume" if store.paused else "Pause",
            "Unlock" if store.locked else "Lock",
            "Unskip" if store.entry(3)["isSkipped"] else "Skip",
        ]

    def test_what_is_not_possible_says_why_and_asks_the_program_for_nothing(self):
        page = self.open(fake.Store(1, "Bare", actions=[], can_export=False))
        for tool, reason in (
            ("undo", "There is nothing to undo."),
            ("redo", "There is nothing to redo."),
            ("jump", "Select another action first: the current action needs no jump."),
            ("commit", "The log is empty: there is nothing to commit."),
            ("dispatch", "The program has not registered any actions."),
            ("export", "The program does not allow exports of this store."),
        ):
            self.assertEqual(page.one(f"#tool-{tool}").get_attribute("aria-disabled"), "true", tool)
            self.assertEqual(page.hints(tool), reason)
            page.click(f"#tool-{tool}")
            page.wait_for_text("#notice-text", reason)
        self.assertEqual(
            [request["type"] for request in self.program.requests if request["type"] == "command"], []
        )

    def test_commit_rollback_and_reset_are_asked_about_first(self):
        page = self.open(count=5)
        for command in ("commit", "rollback", "reset"):
            page.click(f"#tool-{command}")
            page.wait(lambda: page.shown("#question"), "a question")
            page.click("#question [data-close]")
            page.wait(lambda: not page.shown("#question"), "the question to close")
        self.assertEqual([request for request in self.program.requests if request["type"] == "command"], [])
        page.click("#tool-commit")
        page.wait_for_text("#question-text", "The log loses 5 actions")
        page.click("#question-yes")
        self.program.asked("command", command="commit")
        page.wait_for_text("#count", "0 actions")
        page.wait(lambda: not page.shown("#question"), "the question to close")

    def test_what_the_program_refuses_is_said_below_the_buttons(self):
        page = self.open(count=3)
        self.program.refusals["command"] = "The <b>store</b> is busy."
        page.click("#tool-undo")
        page.wait_for_text("#notice-text", "The <b>store</b> is busy.")
        self.program.refusals.clear()
        page.click("#tool-undo")
        page.wait(lambda: not page.shown("#notice"), "the notice to disappear")

    def test_a_locked_history_tells_how_many_actions_it_has_refused(self):
        page = self.open(count=1)
        store = self.program.store
        store.locked, store.refused = True, 4
        self.program.send(store.log([]))
        page.wait(lambda: "4 actions refused" in page.hints("lock"), "the number of refused actions")
        page.wait_for_text("#count", "1 action · locked: 4 refused")

    def test_the_toolbar_is_one_stop_of_the_tab_key_and_arrows_go_on(self):
        page = self.open(count=1)
        self.assertEqual(self.stops(), ["tool-undo"])
        page.script("document.getElementById('tool-undo').focus()")
        page.press(Keys.ARROW_RIGHT)
        self.assertEqual(page.focused(), "tool-redo")
        page.press(Keys.HOME, Keys.ARROW_LEFT)
        self.assertEqual(page.focused(), "tool-help")
        self.assertEqual(self.stops(), ["tool-help"])

    def stops(self):
        """Returns the buttons that the Tab key can focus."""
        buttons = self.page.all("#toolbar button")
        return [one.get_attribute("id") for one in buttons if one.get_property("tabIndex") == 0]

    def test_a_hint_shows_beside_what_the_keyboard_comes_to(self):
        page = self.open(count=1)
        page.script("document.getElementById('tool-undo').focus()")
        page.press(Keys.ARROW_RIGHT)
        page.wait_for_text("#hint", "There is nothing to redo.")


class Keyboard(PageTest):
    def selected(self, number):
        self.page.wait(lambda: "shown" in self.page.classes(number), f"entry {number} to be selected")

    def test_arrows_and_letters_move_the_selection(self):
        page = self.open(count=20)
        for key, number in (
            (Keys.ARROW_UP, 19),
            ("k", 18),
            ("j", 19),
            (Keys.HOME, 0),
            (Keys.ARROW_DOWN, 1),
            ("G", 20),
        ):
            page.press(key)
            self.selected(number)

    def test_enter_jumps_to_the_selected_action(self):
        page = self.open(count=9)
        page.press("k", "k", Keys.ENTER)
        self.program.asked("command", command="jump", entry=7)
        page.wait(lambda: "current" in page.classes(7), "entry 7 to be current")

    def test_a_double_click_jumps_too(self):
        page = self.open(count=9)
        ActionChains(self.driver).double_click(page.row(4)).perform()
        self.program.asked("command", command="jump", entry=4)

    def test_what_was_done_is_told_to_those_who_do_not_see_it(self):
        page = self.open(count=9)
        page.press("k", Keys.ENTER)
        page.wait_for_text("#announcement", "Jump 8: done")

    def test_names_are_chosen_without_a_mouse(self):
        page = self.open(count=9)
        page.press("f")
        page.wait(lambda: page.shown("#names"), "the names")
        page.press(Keys.ARROW_DOWN, Keys.SPACE)
        page.wait_for_text("#names-text", "1 hidden")
        page.press(Keys.ESCAPE)
        page.wait(lambda: not page.shown("#names"), "the names to close")
        self.assertNotIn("LoadPage", page.names())

    def test_arrows_move_the_divider(self):
        page = self.open(count=1)
        page.script("document.getElementById('divider').focus()")
        before = page.one("#log").rect["width"]
        page.press(Keys.ARROW_LEFT)
        page.wait(lambda: page.one("#log").rect["width"] < before, "a narrower log")
        self.assertEqual(page.one("#divider").get_attribute("aria-valuenow"), "54")

    def test_jumping_to_the_base_asks_for_zero(self):
        page = self.open(count=2)
        page.press("g", Keys.ENTER)
        self.program.asked("command", command="jump", entry=0)

    def test_letters_stand_for_commands(self):
        page = self.open(count=3)
        for key, command in (("u", "undo"), ("r", "redo"), ("s", "skip"), ("p", "pause"), ("l", "lock")):
            page.press(key)
            self.program.asked("command", command=command)
            page.wait(
                lambda: page.text("#timeline-position") == f"{self.program.store.position} / 3",
                "the page to show the new state",
            )

    def test_letters_in_a_field_are_text(self):
        page = self.open(count=3)
        page.press("/")
        self.assertEqual(page.focused(), "search")
        page.press("u", "s")
        page.wait(lambda: page.one("#search").get_attribute("value") == "us", "the text")
        page.press(Keys.ESCAPE)
        self.assertEqual(page.focused(), "rows")
        self.assertEqual([request for request in self.program.requests if request["type"] == "command"], [])

    def test_letters_do_nothing_when_they_are_turned_off(self):
        page = self.open(count=3)
        page.press("?")
        page.wait(lambda: page.shown("#help"), "the list of keys")
        page.click("#help-letters")
        page.press(Keys.ESCAPE)
        page.wait(lambda: not page.shown("#help"), "the list to close")
        page.script("document.activeElement.blur()")
        page.press("u", Keys.ARROW_UP)
        self.selected(2)
        self.assertEqual([request for request in self.program.requests if request["type"] == "command"], [])

    def test_the_list_of_keys_has_all_of_them(self):
        page = self.open()
        page.press("?")
        page.wait(lambda: page.shown("#help"), "the list of keys")
        shown = {key.text for key in page.all("#help kbd")}
        for key in "jkurshopl/fdie?123[]":
            self.assertIn(key, shown)

    def test_escape_leads_back_step_by_step(self):
        page = self.open(count=5)
        page.press("k", "/")
        page.type("#search", "SetTitle")
        page.wait_for_text("#count", "shown")
        page.press(Keys.ESCAPE)
        self.assertEqual(page.focused(), "rows")
        page.press(Keys.ESCAPE)
        page.wait(lambda: not page.shown("#clear-filters"), "all actions")
        self.selected(4)
        page.press(Keys.ESCAPE)
        self.selected(5)
        page.wait_for_text("#detail-facts", "followed")


class Slider(PageTest):
    def test_the_slider_takes_the_state_along(self):
        page = self.open(count=100)
        page.script("document.getElementById('timeline-slider').focus()")
        page.press(Keys.ARROW_LEFT)
        self.program.asked("command", command="jump", entry=99)
        page.wait(lambda: "current" in page.classes(99), "the state after entry 99")
        page.press(Keys.HOME)
        self.program.asked("command", command="jump", entry=0)
        page.wait_for_text("#timeline-position", "0 / 100")

    def test_the_slider_follows_the_state(self):
        page = self.open(count=10)
        page.press("u")
        page.wait(lambda: page.one("#timeline-slider").get_attribute("value") == "9", "the slider to move")
        self.assertEqual(page.text("#timeline-position"), "9 / 10")

    def test_the_slider_asks_for_one_jump_at_a_time_and_ends_where_it_is_let_go(self):
        page = self.open(count=200)
        page.script("""
            const slider = document.getElementById("timeline-slider");
            for (let value = 199; value >= 50; value -= 1) {
              slider.value = value;
              slider.dispatchEvent(new Event("input"));
            }""")
        self.program.asked("command", command="jump", entry=50)
        jumps = [request for request in self.program.requests if request["type"] == "command"]
        self.assertEqual([jump["entry"] for jump in jumps], [199, 50])


class Dispatch(PageTest):
    def test_an_action_is_dispatched_with_what_was_typed(self):
        page = self.open()
        page.click("#tool-dispatch")
        page.script("document.getElementById('dispatch-name').value = 'SetTitle'")
        page.type("#dispatch-payload", '{"title": "Ran", "id": 12345678901234567890}')
        page.click("#dispatch [type=submit]")
        asked = self.program.asked("dispatch")
        self.assertEqual(
            (asked["name"], asked["payload"]), ("SetTitle", '{"title": "Ran", "id": 12345678901234567890}')
        )
        page.wait(lambda: not page.shown("#dispatch"), "the dialog to close")
        page.wait(lambda: page.names()[-1] == "SetTitle", "the action in the log")

    def test_what_is_no_json_is_said_before_it_is_sent(self):
        page = self.open()
        page.press("d")
        page.type("#dispatch-payload", '{"title": }')
        page.click("#dispatch [type=submit]")
        page.wait(lambda: page.text("#dispatch-error") != "", "the error in the payload")
        self.assertEqual([request for request in self.program.requests if request["type"] == "dispatch"], [])

    def test_a_refusal_is_said_in_the_dialog_and_what_was_typed_stays(self):
        page = self.open()
        self.program.refusals["dispatch"] = "Cannot decode SetTitle: `title` is missing."
        page.press("d")
        page.type("#dispatch-payload", '{"titel": "Ran"}')
        page.press(Keys.CONTROL + Keys.ENTER)
        page.wait_for_text("#dispatch-error", "`title` is missing")
        self.assertEqual(page.one("#dispatch-payload").get_attribute("value"), '{"titel": "Ran"}')

    def test_the_payload_of_the_last_action_of_that_name_is_proposed(self):
        page = self.open(count=3)
        page.press("d")
        page.script("""
            const name = document.getElementById("dispatch-name");
            name.value = "SetTitle";
            name.dispatchEvent(new Event("change"));""")
        page.wait(
            lambda: '"Film 3"' in page.one("#dispatch-payload").get_attribute("value"),
            "the payload of entry 3",
        )
        self.assertIn("entry 3", page.text("#dispatch-from"))

    def test_an_action_can_be_dispatched_again(self):
        page = self.open(count=3, tab="action")
        page.select(1)
        page.wait(lambda: page.shown("#detail-tools button:nth-child(2)"), "the button")
        page.click("#detail-tools button:nth-child(2)")
        page.click("#dispatch [type=submit]")
        self.assertEqual(
            json.loads(self.program.asked("dispatch", name="SetTitle")["payload"])["title"], "Film 1"
        )


class Files(PageTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        cls.driver.execute_cdp_cmd(
            "Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": cls.folder}
        )

    def document(self, count):
        store = fake.Store(1, "Other")
        store.add(count, name="Imported")
        return json.dumps({"entries": store.entries})

    def test_an_export_is_a_file_named_after_the_store(self):
        page = self.open(fake.Store(1, "My <Movies>"))
        self.program.add(7)
        page.wait_for_text("#count", "7 actions")
        page.click("#tool-export")
        name = page.wait(
            lambda: [name for name in os.listdir(self.folder) if name.endswith(".json")][0], "a file"
        )
        self.assertRegex(name, r"^movies-My-Movies-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.json$")
        with open(os.path.join(self.folder, name)) as file:
            self.assertEqual(len(json.load(file)["entries"]), 7)

    def test_a_file_that_is_chosen_is_imported_when_the_question_is_answered(self):
        page = self.open(count=2)
        path = os.path.join(self.folder, "chosen.txt")
        with open(path, "w") as file:
            file.write(self.document(12))
        page.one("#file").send_keys(path)
        page.wait_for_text("#question-text", "kB, takes the place of the log of 2 actions and of the state.")
        self.assertTrue(page.text("#question-text").startswith("chosen.txt, "))
        page.click("#question-yes")
        page.wait_for_text("#count", "12 actions")

    def test_a_file_that_is_dropped_is_imported(self):
        page = self.open(count=2)
        page.script(DROP, self.document(4))
        page.click("#question-yes")
        page.wait_for_text("#count", "4 actions")
        self.assertFalse(page.shown("#drop"))

    def test_why_a_file_is_refused_is_said_in_the_question(self):
        page = self.open(count=2)
        page.script(DROP, "no history")
        page.click("#question-yes")
        page.wait_for_text("#question-error", "The data is not an exported history.")
        self.assertIn("2 actions", page.text("#count"))

    def test_a_file_that_the_program_would_not_take_is_not_sent(self):
        page = self.open(count=2)
        page.script(DROP, "x" * (15 * 1024 * 1024 + 1))
        page.wait_for_text("#notice-text", "too large")
        self.assertFalse(page.shown("#question"))

    def test_a_file_that_becomes_too_large_on_the_way_is_not_sent(self):
        page = self.open(count=2)
        page.script(DROP, '"' * (8 * 1024 * 1024))
        page.click("#question-yes")
        page.wait_for_text("#question-error", "too large")


if __name__ == "__main__":
    unittest.main()
