"""Tests of hostile values: the page shows every name of an action and every value of a state as text."""

import json

import fake
from fake import branch, leaf
from pagetest import PageTest, unittest

MARKUP = "<script>window.owned = 1</script><img src=x onerror='window.owned = 1'>\"'&amp;</textarea></option>"
REORDERING = "abc\u202egnp.exe\u2066"
CONTROL = "a\u0000b\u001b[31mc\nd\te\u200b\ufeff"
LARGE = "x" * 1_000_000
HOSTILE = {
    "markup": MARKUP,
    "reordering": REORDERING,
    "control": CONTROL,
    "large": LARGE,
    "lone": "\ud800",
    "empty": "",
}


class Hostile(PageTest):
    def open_hostile(self, text, **options):
        """Opens the page of a program in which all names and values are the same text."""
        store = fake.Store(1, text or "Store", actions=[text or "Action"])
        store.add(name=text, text=text, origin=text)
        store.trees[1] = branch(
            text, text, text, [leaf(text, text, text), branch("b", text, text, [], cut=True)]
        )
        store.changes[1] = [
            {"path": text, "kind": kind, "before": text, "after": text}
            for kind in ("changed", "inserted", "removed", "moved", "unheard-of")
        ]
        return self.open(store, **options)

    def test_every_text_is_shown_everywhere_as_text_and_runs_nothing(self):
        for name, text in HOSTILE.items():
            with self.subTest(name):
                page = self.open_hostile(text)
                page.wait(lambda: len(page.all(".change")) == 5, "the changes")
                for tab in ("state", "action"):
                    page.click(f"#tab-{tab}")
                    page.wait(lambda: page.tree(), f"the {tab}")
                page.click("#tool-dispatch")
                page.wait(lambda: page.shown("#dispatch"), "the dialog")
                page.click("#dispatch [data-close]")
                page.click("#names-button")
                page.wait(lambda: page.all("#names .names-row"), "the names")
                self.assertIsNone(page.script("return window.owned ?? null"))
                self.assertEqual(
                    page.script("return document.querySelectorAll('script, img, body iframe').length"), 1
                )
                self.assertEqual(
                    page.script("""
                    return document.documentElement.scrollWidth - document.documentElement.clientWidth"""),
                    0,
                )

    def test_markup_is_read_as_it_is_written(self):
        page = self.open_hostile(MARKUP)
        page.row(1)
        self.assertEqual(page.text("#row-1 .cell-name"), MARKUP)
        self.assertEqual(page.text(".store-name")[:30], MARKUP[:30])
        page.wait_for_text(".change-before", MARKUP)

    def test_signs_that_reorder_or_hide_are_spelled_out(self):
        page = self.open_hostile(REORDERING)
        page.row(1)
        self.assertEqual(page.text("#row-1 .cell-name"), "abc\\u{202E}gnp.exe\\u{2066}")
        page = self.open_hostile(CONTROL)
        page.row(1)
        self.assertEqual(page.text("#row-1 .cell-name"), "a\\u{0}b\\u{1B}[31mc↵d⇥e\\u{200B}\\u{FEFF}")

    def test_words_of_languages_from_right_to_left_stay_as_they_are(self):
        page = self.open()
        text = '("سينما پارادیزو", "👨‍👩‍👧")'
        self.program.add(name="Rename", text=f"Rename{text}")
        page.row(1)
        self.assertEqual(page.text("#row-1 .cell-text"), text)

    def test_of_a_large_value_only_the_beginning_is_shown_until_all_is_asked_for(self):
        page = self.open_hostile(LARGE)
        page.wait(lambda: len(page.all(".change")) == 5, "the changes")
        self.assertLess(page.script("return document.body.textContent.length"), 60_000)
        page.wait_for_text(".change .link", "All 1,000,000 characters")
        page.click(".change .link")
        page.wait(lambda: len(page.text(".change-before")) == 1_000_000, "the whole value")

    def test_a_search_for_signs_of_patterns_and_markup_is_one_for_text(self):
        page = self.open(count=3)
        self.program.add(name="Odd", text="Odd(.*)[<b>")
        page.row(4)
        page.type("#search", ".*)[<b>")
        page.wait_for_text("#count", "4 actions · 1 shown")
        page.wait_for_text("#row-4 mark", ".*)[<b>")

    def test_messages_that_are_none_do_not_break_the_page(self):
        page = self.open(count=2)
        for message in (
            {},
            {"type": "unheard-of"},
            {"type": "refused", "request": 999, "message": "late"},
            [],
            7,
            None,
        ):
            self.send_raw(json.dumps(message))
        self.program.add()
        page.wait_for_text("#count", "3 actions")

    def test_what_is_no_json_makes_the_page_connect_anew(self):
        page = self.open(count=2)
        self.send_raw("{")
        page.wait(
            lambda: len([r for r in self.program.requests if r["type"] == "watch"]) == 2,
            "the page to watch again",
        )
        self.program.add()
        page.wait_for_text("#count", "3 actions")

    def send_raw(self, text):
        async def send():
            for socket in list(self.program.sockets):
                await socket.send(text)

        self.program.do(send())


if __name__ == "__main__":
    unittest.main()
