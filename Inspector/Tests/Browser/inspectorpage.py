"""The page of the inspector."""

import browser


class InspectorPage(browser.Page):
    """The page of the inspector, with the operations of a user."""

    def row(self, number):
        """Returns the visible row of an entry. A hidden row keeps the id of its last entry."""
        return self.wait(lambda: self.one(f"#row-{number}:not([hidden])"), f"a row of entry {number}")

    def classes(self, number):
        return self.row(number).get_attribute("class").split()

    def names(self):
        """Returns the names in the rows that are on the page, from top to bottom."""
        return self.script("""
            return [...document.querySelectorAll("#rows .row:not([hidden])")]
              .sort((a, b) => a.index - b.index)
              .map((row) => row.querySelector(".cell-name").textContent)""")

    def tree(self):
        """Returns the rows of the visible tree, from top to bottom."""
        return self.script("""
            return [...document.querySelectorAll(".pane:not([hidden]) .tree-row:not([hidden])")]
              .sort((a, b) => a.index - b.index)
              .map((row) => [...row.children].map((part) => part.textContent)
              .filter(Boolean).join(" "))""")

    def hints(self, tool):
        return self.one(f"#tool-{tool}").get_attribute("data-hint")

    def select(self, number):
        self.row(number).click()
        self.wait(lambda: "shown" in self.classes(number), f"entry {number} to be selected")
