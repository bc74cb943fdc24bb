/// The commands that the program runs without a terminal.
package let tour = [
  "help", "next", "open 27", "back", "wish 27", "seen 3", "wish 12", "lists", "wish 12", "undo", "redo",
  "open 45", "search kurosawa",
  "open 1000",
  "dance", "quit",
]
