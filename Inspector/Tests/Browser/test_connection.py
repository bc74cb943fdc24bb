"""Tests of the connection: its loss, reconnecting, and several stores."""

import fake
from pagetest import PageTest, unittest


class Reconnecting(PageTest):
    def lose(self):
        self.program.stop()
        self.page.wait_for_text("#connection-text", "Connection lost")

    def test_what_was_seen_stays_readable_when_the_program_is_gone(self):
        page = self.open(count=500)
        page.select(500)
        page.wait(lambda: page.all(".change"), "changes")
        self.lose()
        self.assertEqual(len(page.all(".change")), 2)
        page.type("#search", "Rate")
        page.wait_for_text("#count", "500 actions · 100 shown")

    def test_what_was_not_asked_for_says_that_it_needs_the_program(self):
        page = self.open(count=20)
        self.lose()
        page.select(15)
        page.wait_for_text(".pane-changes", "when the program reconnects")

    def test_without_a_connection_every_command_says_why_it_cannot_be_done(self):
        page = self.open(count=3)
        self.lose()
        for tool in ("undo", "commit", "pause", "dispatch", "import", "export"):
            page.wait(
                lambda: page.hints(tool) == "There is no connection to the program.", f"the reason at {tool}"
            )
        self.assertFalse(page.one("#timeline-slider").is_enabled())

    def test_what_is_asked_while_the_connection_closes_fails_with_it(self):
        page = self.open(count=3)
        code = page.module("""
            const { Connection } = await import("./socket.js");
            let socket;
            window.WebSocket = class extends WebSocket {
              constructor(address) {
                super(address);
                socket = this;
              }
            };
            let connection;
            await new Promise((resolve) => {
              connection = new Connection(new URL("socket", location.href.replace(/^http/, "ws")), {
                onMessage() {},
                onStatus: ({ kind }) => kind === "open" && resolve(),
              });
              connection.open();
            });
            socket.close();
            return connection.request({ type: "state", store: 1 }).catch(({ code }) => code);""")
        self.assertEqual(code, "offline")

    def test_the_page_connects_again_by_itself_and_hears_what_it_missed(self):
        page = self.open(count=3)
        self.lose()
        self.program.store.add(4)
        self.program.start()
        page.wait_for_text("#count", "7 actions")
        page.wait_for_text("#connection-text", "Connected")
        self.program.add()
        page.wait_for_text("#count", "8 actions")

    def test_the_selection_and_the_filters_outlast_a_lost_connection(self):
        page = self.open(count=1500)
        page.type("#search", "Rate")
        page.wait_for_text("#count", "300 shown")
        page.script("document.getElementById('rows').scrollTop = 2500")
        page.select(537)
        self.lose()
        self.program.store.add(5)
        self.program.start()
        page.wait_for_text("#count", "1,505 actions · 301 shown")
        self.assertIn("shown", page.classes(537))
        self.assertTrue(page.row(537).is_displayed())
        self.assertIn("#537", page.text("#detail-facts"))

    def test_the_button_tries_at_once(self):
        page = self.open(count=1)
        # The first pauses are too short to click the button.
        self.lose()
        page.wait_for_text("#connection-text", "No answer")
        self.program.start()
        # The button is hidden if the page has tried to connect by itself meanwhile.
        page.script(
            "const button = document.querySelector('#connection-retry'); if (button.checkVisibility()) button.click();"
        )
        page.wait_for_text("#connection-text", "Connected")

    def test_pauses_between_tries_grow(self):
        page = self.open()
        pauses = page.module("""
            const { Connection } = await import("./socket.js");
            const pauses = [];
            const now = Date.now();
            Date.now = () => now;
            const connection = new Connection(`ws://${location.host}/wrong/socket`, {
              onMessage() {},
              onStatus({ kind, until }) {
                if (kind !== "waiting") return;
                pauses.push(until - now);
                if (pauses.length < 8) queueMicrotask(() => connection.tryNow());
              },
            });
            connection.open();
            while (pauses.length < 8) await new Promise(requestAnimationFrame);
            return pauses;""")
        self.assertEqual(pauses, [250, 500, 1000, 2000, 4000, 8000, 8000, 8000])

    def test_a_program_of_another_protocol_is_told_apart(self):
        page = self.open(count=1)
        self.program.send({"type": "welcome", "protocol": 2, "program": "newer", "stores": []})
        page.wait_for_text("#notice-text", "The program speaks protocol 2")


class Stores(PageTest):
    def test_each_store_has_a_tab_with_its_number_of_actions(self):
        page = self.open(fake.Store(1, "Movies"), fake.Store(2, "Books"))
        self.program.add(3, store=self.program.stores[1])
        tabs = lambda: [tab.text.split() for tab in page.all("#stores [role=tab]")]
        page.wait(lambda: tabs() == [["Movies", "0"], ["Books", "3"]], "the numbers")

    def test_brackets_turn_to_the_next_store(self):
        page = self.open(fake.Store(1, "Movies"), fake.Store(2, "Books"))
        page.press("]")
        page.wait(
            lambda: page.one("#stores [aria-selected=true]").text.startswith("Books"), "the other store"
        )
        page.press("]")
        page.wait(
            lambda: page.one("#stores [aria-selected=true]").text.startswith("Movies"),
            "the first store again",
        )

    def test_commands_go_to_the_store_that_is_looked_at(self):
        page = self.open(fake.Store(1, "Movies"), fake.Store(2, "Books"))
        self.program.add(2, store=self.program.stores[1])
        page.click("#stores [role=tab]:nth-child(2)")
        page.wait_for_text("#count", "2 actions")
        page.press("u")
        self.program.asked("command", command="undo", store=2)

    def test_a_store_that_comes_later_gets_a_tab_and_is_watched(self):
        page = self.open(count=1)
        self.program.stores.append(fake.Store(9, "Late"))
        self.program.send({"type": "stores", "stores": [store.line() for store in self.program.stores]})
        self.program.asked("watch", store=9)
        page.wait(lambda: len(page.all("#stores [role=tab]")) == 2, "the second tab")

    def test_a_store_that_has_ended_stays_readable(self):
        page = self.open(fake.Store(1, "Movies"), fake.Store(2, "Books"))
        self.program.add(3)
        page.wait_for_text("#count", "3 actions")
        self.program.send({"type": "stores", "stores": [self.program.stores[1].line()]})
        page.wait(lambda: page.hints("undo") == "This store has been released.", "the reason at the buttons")
        self.assertEqual(len(page.names()), 4)


if __name__ == "__main__":
    unittest.main()
