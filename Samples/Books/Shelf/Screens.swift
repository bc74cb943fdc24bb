import Flux
import SampleTerminal

// The text that the user reads: each function creates the text for a part of the state.

/// A list item that is shown on one line.
protocol Shown {
  /// The line, which can contain untrusted data.
  var line: String { get }
}

extension Book: Shown {
  var line: String { "\(right(id, 4))  \(title.tame) · \(author.tame) (\(year))" }
}

extension Song: Shown {
  var line: String { "   ♪  \(title.tame) · \(by.tame) (\(year))" }
}

private func right(_ number: Int, _ width: Int) -> String {
  let digits = "\(number)"
  return String(repeating: " ", count: max(0, width - digits.count)) + digits
}

/// Returns the text of the current screen, with its sections if it has any.
func describe(_ state: ShelfState, _ sections: [any ListSection]) -> String {
  switch state.screen {
  case .welcome: help
  case .shelf: describe(state.shelf, called: "books", under: "The shelf")
  case .all: describe(state.books, called: "books", under: "All books")
  case .sections(let division):
    (["Books by \(division)"] + lines(of: sections, in: state) + ending(of: state.books, called: "books"))
      .joined(separator: "\n")
  case .together:
    (["Books and songs"] + lines(of: sections, in: state)
      + ending(of: state.books, called: "books") + ending(of: state.songs, called: "songs"))
      .joined(separator: "\n")
  }
}

private func describe<Item: Shown>(
  _ list: ListState<Item>, called name: String, under heading: String
) -> String {
  ([heading] + lines(of: list.items, in: list) + ending(of: list, called: name)).joined(
    separator: "\n")
}

/// Returns the text of the items that a load added to a list.
func describeMore<Item: Shown>(
  of list: ListState<Item>, since old: ListState<Item>, called name: String
) -> String {
  let new = list.items.filter { !old.items.contains(id: $0.id) }
  return (lines(of: new, in: list) + ending(of: list, called: name)).joined(separator: "\n")
}

private func lines<Item: Shown>(of items: OrderedState<Item>, in list: ListState<Item>) -> [String] {
  items.map { item in item.line + mark(list.isUnconfirmed(item.id)) }
}

private func mark(_ isUnconfirmed: Bool) -> String { isUnconfirmed ? "  … not saved yet" : "" }

// MARK: - Sections

private func lines(of sections: [any ListSection], in state: ShelfState) -> [String] {
  sections.flatMap { lines(of: $0, in: state) }
}

private func lines(of section: some ListSection, in state: ShelfState) -> [String] {
  let known =
    switch section.loadingState {
    case .initialized: "not loaded"
    case .loading: "\(section.items.count), loading …"
    case .loaded: "\(section.items.count)"
    case .error: section.items.isEmpty ? "failed" : "\(section.items.count), there was trouble"
    }
  return ["\(section.id.tame) (\(known))"] + section.items.compactMap { line(of: $0, in: state) }
}

private func line(of item: some Hashable, in state: ShelfState) -> String? {
  guard let book = item as? Book else { return (item as? any Shown)?.line }
  return book.line + mark(state.books.isUnconfirmed(book.id))
}

// MARK: - How a list ends

/// Returns the lines below a list: its status, its error, and the next command.
func ending<Item>(of list: ListState<Item>, called name: String) -> [String] {
  let trouble = list.error.map(describe) ?? ""
  let count = list.items.count
  let counted = (list.total ?? count) == 1 ? String(name.dropLast()) : name
  switch list.loadingState {
  case .initialized: return ["  No \(name) were loaded. Type reload to load them."]
  case .loading: return ["  \(name) are being loaded …"]
  case .error where count == 0: return ["! \(trouble) Type refresh to try again."]
  case .error: return ["! \(trouble) These \(name) are the old ones; type refresh to try again."]
  case .loaded: break
  }
  switch list.endState {
  case .idle:
    let all = list.total.map { " of \($0)" } ?? ""
    return ["  \(count)\(all) \(counted). Type more for more."]
  case .loading: return ["  more \(name) are being loaded …"]
  case .error: return ["! \(trouble) The \(count) \(name) stay; type more to try again."]
  case .reachedEnd: return ["  That is all: \(count) \(counted)."]
  }
}

private func describe(_ failure: ListFailure) -> String {
  switch failure.code {
  case .timedOut: "It timed out."
  default: "\(failure)".tame
  }
}

// MARK: - Notes

func describe(_ note: ShelfState.Note) -> String {
  switch note {
  case .text(let text): text
  case .trouble(let text): "! \(text)"
  case .changing(let id, let book): "\(book?.line ?? "\(right(id, 4))  is taken out")" + mark(true)
  case .changed(let id, let book): book.map { "\($0.line)  kept" } ?? "\(right(id, 4))  is out for good"
  case .refused(let id, let book, let reason):
    "! \(reason.tame) It was undone:\n\(book?.line ?? "\(right(id, 4))  is out")"
  }
}

func describeFailing(_ topic: Conditions.Topic, times: Int) -> String {
  let what =
    topic == .changes ? (times == 1 ? "change" : "changes") : "load\(times == 1 ? "" : "s") of \(topic)"
  return switch times {
  case 0: "  No \(what) will fail."
  case 1: "  The next \(what) will fail."
  default: "  The next \(times) \(what) will fail."
  }
}

/// The available commands.
let help = """
  shelf            show the shelf, which loads as a whole
  all              show all books, which load page by page
  more             load the next page of this list
  sections WHAT    show the books by author or by century
  together         show books and songs
  back             return to the previous screen
  refresh          load this list again, and show the old list until the answer arrives
  reload           remove this list, and load it again
  invalidate       mark this list as out of date, so that it loads when it is shown again
  rename N TEXT    change the title of book N, and change it back if the server refuses
  remove N         remove book N, and restore it if the server refuses
  fail WHAT [N]    let the next N loads of shelf, books, or songs fail, or the next N changes
  slow MS          delay each answer by a number of milliseconds
  stop             stop loading; an empty line does the same
  quit             leave the program
  """
