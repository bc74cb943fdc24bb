"""Tests of the appearance in both color schemes and on a phone, and of accessibility."""

from selenium.webdriver.common.keys import Keys

import browser, fake
from fakestore import query
from pagetest import PageTest, unittest

# Returns each text whose contrast with its background is below 4.5, by the formula of WCAG.
CONTRAST = """
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 1;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => {
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = context.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = (top, below) => [0, 1, 2].map((part) => top[part] * top[3] + below[part] * (1 - top[3]));
  const light = (colour) => {
    const [r, g, b] = colour.map((part) => {
      const share = part / 255;
      return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    const layers = [];
    for (let above = element; above; above = above.parentElement) {
      const layer = rgba(getComputedStyle(above).backgroundColor);
      if (layer[3] > 0) layers.push(layer);
      if (layer[3] === 1) break;
    }
    return layers.reverse().reduce((below, layer) => over(layer, below), rgba(getComputedStyle(document.body)
      .backgroundColor).slice(0, 3));
  };
  const poor = [];
  for (const element of document.querySelectorAll("body *")) {
    const isText = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== "");
    if (!isText || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    if (element.closest("[aria-disabled=true], :disabled, .unseen, option, noscript")) continue;
    const below = ground(element);
    const own = light(over(rgba(getComputedStyle(element).color), below));
    const [high, low] = [own, light(below)].sort((a, b) => b - a);
    const contrast = (high + 0.05) / (low + 0.05);
    const name = element.className || element.id || element.tagName;
    if (contrast < 4.5) poor.push(`${name}: ${contrast.toFixed(2)}`);
  }
  return [...new Set(poor)];"""

USABLE = (
    "button, input:not([type=file]), select, textarea, "
    "[role=listbox], [role=tree], [role=tablist], [role=separator]"
)


class Looks(PageTest):
    def open_varied(self):
        """Opens a page with every type of row."""
        store = fake.Store(1, "Movies")
        store.add(40)
        for place, name in ((25, "isSkipped"), (27, "isAmended"), (31, "isAmended")):
            store.entries[place][name] = True
        store.entries[29]["duration"] = 45_000.0
        store.entries[33]["step"] = store.entries[34]["step"] = 33
        store.current = 37
        store.changes[37] = [
            {"path": "count", "kind": "changed", "before": "36", "after": "37"},
            {
                "path": "movies[37]",
                "kind": "inserted",
                "before": None,
                "after": 'Movie(id: 37, title: "Film 37")',
            },
            {
                "path": "movies[2]",
                "kind": "removed",
                "before": 'Movie(id: 2, title: "Film 2")',
                "after": None,
            },
            {"path": "movies[9]", "kind": "moved", "before": "8", "after": "7"},
        ]
        store.queries = {
            None: [
                query(
                    "FilmByID(id: 7)",
                    subscribers=2,
                    tags=["Film(7)"],
                    fulfilledAt=1_760_000_003_000.0,
                    pendingEdits=1,
                ),
                query("FilmByID(id: 27)", "loading", subscribers=1),
                query("FilmByID(id: 8)", "fetching", failedAttempts=2, error="The connection was lost."),
                query(
                    'SearchFilms(text: "solaris", year: 1972)',
                    isInvalidated=True,
                    tags=["Film(list)", "Film(7)", "Film(1234)"],
                    tagCount=31,
                    fulfilledAt=1_760_000_002_123.0,
                ),
                query(
                    "CreditsOfFilm(id: 7)",
                    "failed",
                    subscribers=12,
                    tags=["Person(list)"],
                    error="The server answered with the status 503: the service is not available at the moment.",
                ),
                query("everything", "uninitialized", type="AllFilms", cache="session.queries"),
                {"query": "SignIn(user: •••)", "path": None, "isRedacted": True},
            ]
        }
        page = self.open(store, fake.Store(2, "Settings", actions=[], can_export=False))
        page.wait(lambda: page.all(".change"), "changes")
        return page

    def each_view(self, page):
        """Shows each view of the page, and yields its name."""
        yield "changes"
        page.type("#search", "film")
        page.wait(lambda: page.all("#rows mark"), "marks")
        page.click("#tab-state")
        page.wait(lambda: len(page.tree()) > 4, "the state")
        page.all(".pane-state .tree-row:not([hidden])")[2].click()
        page.wait(lambda: len(page.tree()) > 8, "the movies")
        yield "state"
        page.click("#clear-filters")
        page.click("#tab-action")
        page.wait(lambda: page.shown("#detail-tools button:first-child"), "the action")
        page.click("#detail-tools button:first-child")
        page.wait(lambda: page.all(".json"), "the action as JSON")
        page.click("#tool-jump")
        page.wait(lambda: page.shown("#notice"), "a notice")
        yield "action"
        page.click("#notice-close")
        page.click("#tab-queries")
        page.wait(lambda: page.shown(".queries tbody tr"), "the queries")
        page.one(".queries-sort").click()
        yield "queries"
        page.click("#names-button")
        page.wait(lambda: page.shown("#names .names-row"), "the names")
        yield "names"
        page.press(Keys.ESCAPE)
        page.click("#tool-dispatch")
        page.wait(lambda: page.shown("#dispatch"), "the dialog")
        page.wait(lambda: page.one("#dispatch-payload").get_attribute("value") != "", "a payload")
        self.program.refusals["dispatch"] = "Cannot decode AddMovie: `title` is missing."
        page.click("#dispatch [type=submit]")
        page.wait(lambda: page.shown("#dispatch-error"), "the refusal")
        yield "dispatch"
        page.click("#dispatch [data-close]")
        page.click("#tool-commit")
        page.wait(lambda: page.shown("#question"), "the question")
        yield "question"
        page.click("#question [data-close]")
        page.click("#tool-help")
        page.wait(lambda: page.shown("#help"), "the keys")
        yield "keys"
        page.press(Keys.ESCAPE)
        page.press("p")
        page.press("l")
        page.wait(lambda: len(page.all(".tool.on")) == 2, "pause and lock")
        self.program.stop()
        page.wait_for_text("#connection-text", "Connection lost")
        yield "offline"

    def look(self):
        """Checks every view for text with poor contrast, and for content that is wider than the page."""
        page = self.open_varied()
        poor = []
        for view in self.each_view(page):
            poor += [f"{view}: {one}" for one in page.script(CONTRAST)]
            wide = page.script("return document.documentElement.scrollWidth")
            self.assertLessEqual(wide, self.size[0], view)
            self.picture(f"{self.scheme}-{self.size[0]}-{view}")
        self.assertEqual(poor, [])


class Light(Looks):
    def test_every_text_stands_out_in_the_light_scheme(self):
        self.look()

    def test_whatever_can_be_used_has_a_name(self):
        page = self.open_varied()
        page.click("#tool-dispatch")
        page.wait(lambda: page.shown("#dispatch"), "the dialog")
        names = {one.get_attribute("id"): one.accessible_name for one in page.all(f"#dispatch :is({USABLE})")}
        page.click("#dispatch [data-close]")
        page.click("#tab-state")
        page.wait(lambda: page.tree(), "the state")
        for one in page.all(USABLE):
            if one.is_displayed():
                names[one.get_attribute("id") or one.get_attribute("class")] = one.accessible_name
        self.assertEqual([name for name, told in names.items() if len(told) < 3], [])
        self.assertEqual(names["search"], "Search names, texts and origins")

    def test_rows_tell_their_place_in_a_list_of_which_not_all_is_there(self):
        page = self.open(count=3000)
        row = page.row(3000)
        self.assertEqual(
            (row.get_attribute("aria-posinset"), row.get_attribute("aria-setsize")), ("3001", "3001")
        )
        page.press("k")
        page.wait(
            lambda: page.one("#rows").get_attribute("aria-activedescendant") == "row-2999", "the active row"
        )

    def test_every_stop_of_the_tab_key_shows_where_it_is(self):
        page = self.open_varied()
        page.click("#tab-state")
        page.wait(lambda: page.tree(), "the state")
        page.script("document.body.tabIndex = -1; document.body.focus()")
        stops = []
        while len(stops) < 40:
            page.press(Keys.TAB)
            place = page.script("""
                const element = document.activeElement;
                if (element === document.body) return null;
                const seen = [element, element.closest(".field")].filter(Boolean).some((one) => {
                  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one);
                  return (outlineStyle !== "none" && parseFloat(outlineWidth) > 0) || boxShadow !== "none";
                });
                return [element.id || element.className, seen];""")
            if place is None or (stops and place == stops[0]):
                break
            stops.append(place)
        names = [name for name, _ in stops]
        for name in (
            "tool-undo",
            "timeline-slider",
            "times",
            "search",
            "names-button",
            "path",
            "rows",
            "divider",
            "tab-state",
        ):
            self.assertIn(name, names)
        self.assertEqual([name for name, is_seen in stops if not is_seen], [])

    def test_what_moves_stands_still_for_those_who_want_it(self):
        self.driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia",
            {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]},
        )
        page = self.open(count=1)
        page.script("document.getElementById('connection').dataset.kind = 'connecting'")
        self.assertEqual(
            page.script("return getComputedStyle(document.querySelector('.connection-dot')).animationName"),
            "none",
        )


class Dark(Looks):
    scheme = "dark"

    def test_every_text_stands_out_in_the_dark_scheme(self):
        self.look()


class Phone(Looks):
    size = browser.PHONE

    def test_all_fits_on_a_phone(self):
        self.look()

    def test_what_is_pressed_is_large_enough_for_a_finger(self):
        page = self.open_varied()
        small = page.script("""
            return [...document.querySelectorAll("button, input:not([type=file])")].filter((element) => {
              const { width, height } = element.getBoundingClientRect();
              return width > 0 && (width < 24 || height < 18);
            }).map((element) => element.id || element.className)""")
        self.assertEqual(small, [])


class DarkPhone(Phone):
    scheme = "dark"


if __name__ == "__main__":
    unittest.main()
