"""The fake stores of the fake program."""

import re

BATCH = 500


class Refused(Exception):
    """An error that refuses a request."""

    def __init__(self, message, code="refused"):
        super().__init__(message)
        self.code = code


class Store:
    """A fake store with a history, which appears real to the page."""

    def __init__(self, number, name, actions=("AddMovie", "SetTitle"), can_export=True):
        self.number, self.name, self.actions, self.can_export = number, name, list(actions), can_export
        self.entries, self.current, self.next = [], 0, 1
        self.paused = self.locked = False
        self.refused = 0
        self.is_looking_back = False
        self.aside, self.evicted = [], 0
        self.is_cut = False
        self.changes = {}
        self.trees = {}
        # The rows of the table of queries by entry, or `None` if the store has no query cache. The key
        # `None` contains the rows of the current state.
        self.queries = None
        self.breadth = 200
        # The address of the place that each state shows, or `None` if the store has no addresses.
        self.address = None
        # The text and the time of a crash report, or `None` for a running store.
        self.report = None

    def line(self):
        line = {"id": self.number, "name": self.name, "actions": self.actions, "canExport": self.can_export}
        return line if self.report is None else {**line, "report": self.report}

    def add(self, count=1, **fields):
        """Adds entries after the current entry, and returns the added entries."""
        self.set_aside(self.current)
        added = []
        for _ in range(count):
            number = self.next
            name = fields.get("name") or ("AddMovie", "SetTitle", "Rate", "SetTitle", "LoadPage")[number % 5]
            added.append(
                {
                    "id": number,
                    "step": number,
                    "name": name,
                    "text": f'{name}(id: {number}, title: "Film {number}")',
                    "time": 1_760_000_000_000.0 + number * 137,
                    "duration": 2.0 + (number * 7919) % 4000 / 10,
                    "origin": f"MovieList.swift:{number % 90 + 10} add(_:)",
                    "isSkipped": False,
                    "isAmended": False,
                    **fields,
                }
            )
            self.next += 1
        self.entries += added
        self.current = added[-1]["id"]
        return added

    def set_aside(self, fork):
        """Removes the entries after an entry, and keeps them as a branch after a jump into the past."""
        taken = [entry for entry in self.entries if entry["id"] > fork]
        self.entries = self.entries[: len(self.entries) - len(taken)]
        if taken and self.is_looking_back:
            self.aside.append((fork, taken))
        self.is_looking_back = False

    def jump(self, number):
        """Jumps to an entry, and returns whether the entry was in a branch."""
        found = [branch for branch in self.aside if any(entry["id"] == number for entry in branch[1])]
        for branch in found:
            self.aside.remove(branch)
            self.is_looking_back = True
            self.set_aside(branch[0])
            self.entries += branch[1]
        self.current = self.entry(number)["id"] if number else 0
        self.is_looking_back = self.position < len(self.entries)
        return bool(found)

    @property
    def position(self):
        """The number of entries up to the current one."""
        return sum(entry["id"] <= self.current for entry in self.entries)

    def log(self, entries, whole=False, keep=None):
        return {
            "type": "log",
            "store": self.number,
            "isWhole": whole,
            "keepThrough": keep,
            "first": self.entries[0]["id"] if self.entries else self.next,
            "position": self.position,
            "current": self.current,
            "isPaused": self.paused,
            "isLocked": self.locked,
            "canUndo": self.position > 0,
            "canRedo": self.position < len(self.entries),
            "refused": self.refused,
            "branches": [
                {"fork": fork, "first": taken[0]["id"], "last": taken[-1]["id"], "count": len(taken)}
                for fork, taken in self.aside
            ],
            "evicted": self.evicted,
            "hasQueries": self.queries is not None,
            "entries": entries,
        }

    def whole(self):
        """Returns the messages that contain the whole log."""
        parts = [self.entries[start : start + BATCH] for start in range(0, len(self.entries), BATCH)] or [[]]
        return [self.log(part, whole=index == 0) for index, part in enumerate(parts)]

    def entry(self, number):
        found = [entry for entry in self.entries if entry["id"] == number]
        if not found:
            raise Refused("The history no longer contains that entry.", "noSuchEntry")
        return found[0]

    def command(self, command, number):
        """Executes a command, and returns the messages about its result."""
        if command in ("pause", "resume"):
            self.paused = command == "pause"
        elif command in ("lock", "unlock"):
            self.locked = command == "lock"
        elif command == "jump":
            if self.jump(number):
                return self.whole()
        elif command in ("undo", "redo"):
            numbers = [0] + [entry["id"] for entry in self.entries]
            place = numbers.index(self.current) + (1 if command == "redo" else -1)
            self.current = numbers[max(0, min(place, len(numbers) - 1))]
        elif command in ("skip", "unskip"):
            entry = self.entry(number)
            entry["isSkipped"] = command == "skip"
            return [self.log([entry])]
        else:
            self.entries, self.current, self.aside = [], 0, []
            return [self.log([], whole=True)]
        return [self.log([])]

    def tree(self, at, path):
        at = self.current if at is None else at
        if at in self.trees:
            return find(self.trees[at], path)
        done = [entry for entry in self.entries if entry["id"] <= at and not entry["isSkipped"]]
        movies = [
            branch(
                str(entry["id"]),
                "Movie",
                "",
                [leaf("id", "Int", str(entry["id"])), leaf("title", "String", f'"Film {entry["id"]}"')],
            )
            for entry in done[-200:]
        ]
        return find(
            branch(
                "state",
                "AppState",
                "",
                [
                    leaf("count", "Int", str(len(done))),
                    branch(
                        "movies",
                        "OrderedState<Movie>",
                        f"{len(done)} elements",
                        movies,
                        cut=len(done) > len(movies),
                    ),
                    branch("deep", "Deep", "", [], cut=True),
                    {"label": "password", "type": "String", "isRedacted": True},
                ],
            ),
            path,
        )

    def table(self, at, first):
        rows = self.queries.get(at, self.queries[None])
        first = first if first < len(rows) else 0
        return {
            "caches": 1,
            "count": len(rows),
            "first": first,
            "rows": rows[first : first + self.breadth],
            "isRedacted": False,
        }

    def changes_of(self, number):
        entry = self.entry(number)
        return self.changes.get(number) or [
            {"path": "count", "kind": "changed", "before": str(number - 1), "after": str(number)},
            {
                "path": f"movies[{entry['id']}]",
                "kind": "inserted",
                "before": None,
                "after": f'Movie(id: {number}, title: "Film {number}")',
            },
        ]

    def find(self, path, newest, limit):
        """Returns the entries that changed a path, and the oldest entry that was searched."""
        looked = [entry["id"] for entry in self.entries if entry["id"] <= newest][::-1][: min(limit, 20)]
        found = [
            number for number in looked if any(fits(change["path"], path) for change in self.changes_of(number))
        ]
        return found, looked[-1] if looked else newest


def fits(path, wanted):
    """Returns whether a path contains the wanted components, one directly after another."""
    part = re.compile(r'"[^"]*"|[^.[\]"]+')
    have, want = part.findall(path), part.findall(wanted)
    return any(have[start : start + len(want)] == want for start in range(len(have)))


def query(text, status="success", **fields):
    """Returns a row of the table of queries."""
    return {
        "query": text,
        "path": f"queries.entries[{text}]",
        "type": text.split("(")[0],
        "status": status,
        "isInvalidated": False,
        "subscribers": 0,
        "tags": [],
        "tagCount": len(fields.get("tags", [])),
        **fields,
    }


def leaf(label, type, value):
    return {"label": label, "type": type, "value": value}


def branch(label, type, summary, children, cut=False):
    node = {"label": label, "type": type, "summary": summary, "children": children}
    return {**node, "isCut": True} if cut else node


def find(node, path):
    for label in path or []:
        if label == "deep":
            return branch("deep", "Deep", "", [leaf("bottom", "Int", "42")])
        node = next((child for child in node["children"] if child["label"] == label), None)
        if node is None:
            raise Refused("The state has no value at that path.", "noSuchPath")
    return node
