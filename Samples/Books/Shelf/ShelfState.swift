package import Flux

/// The state of the program: three lists, and what is on show.
package struct ShelfState: FluxState, Equatable {
  /// A list that comes all at once.
  package var shelf = ListState<Book>()
  /// A list that comes in pages with numbers.
  package var books = ListState<Book>()
  /// A list that comes in pages each of which names the next.
  package var songs = ListState<Song>()
  package var display = Display()

  package init() {}

  /// What is on show, and what is told of it.
  ///
  /// Who prints may be told of several changes at once: a load may end before anybody heard that it began.
  /// So there are counts of what happened, beside what is so now: what is printed is the same either way.
  package struct Display: FluxState, Equatable {
    package var screen = Screen.welcome
    /// Counts the screens that were asked for, so that the same one asked for twice is shown twice.
    package var screens = 0
    /// The loads, the last ones that have begun together, of what is on show.
    package var loads: [Load] = []
    /// Whether these are on their way.
    package var isWaiting = false
    /// Whether loads that begin now belong together: they end when all have begun, and ended.
    package var isGathering = false
    /// Counts how often loads have begun.
    package var begins = 0
    /// Counts how often all loads of what is on show have ended.
    package var ends = 0
    /// What was said last, beside the screen.
    package var notes: [Note] = []
    /// Counts what was said.
    package var said = 0

    mutating func say(_ note: Note) {
      notes.append(note)
      // Nobody is that far behind.
      if notes.count > 20 { notes.removeFirst() }
      said += 1
    }
  }

  /// What is loaded of a list.
  package struct Load: Equatable, Sendable {
    let list: ListID
    let kind: ListLoadKind
  }

  /// The screens there are.
  package enum Screen: Equatable, Sendable {
    case welcome
    case shelf
    case all
    case sections(Division)
    case together

    /// Which list's books it shows.
    var books: BookList? {
      switch self {
      case .welcome: nil
      case .shelf: .shelf
      case .all, .sections, .together: .all
      }
    }
  }

  /// How books are divided into sections.
  package enum Division: String, CaseIterable, Sendable {
    case author, century
  }

  /// The lists of books.
  package enum BookList: Equatable, Sendable {
    case shelf, all
  }

  /// What is said in a line or two.
  package enum Note: Equatable, Sendable {
    case text(String)
    case trouble(String)
    /// A change of the book with a number is shown and waits to be kept; `nil` where it was taken out.
    case changing(Int, Book?)
    /// It was kept.
    case changed(Int, Book?)
    /// It was refused, and the book is as it was.
    case refused(Int, Book?, String)
  }

  /// A list of books.
  func list(_ which: BookList) -> ListState<Book> {
    switch which {
    case .shelf: shelf
    case .all: books
    }
  }

  /// The loads on their way of what is on show.
  var loads: [Load] {
    switch display.screen {
    case .welcome: []
    case .shelf: loads(of: shelf, ShelfLists.shelfID)
    case .all, .sections: loads(of: books, ShelfLists.booksID)
    case .together: loads(of: books, ShelfLists.booksID) + loads(of: songs, ShelfLists.songsID)
    }
  }

  private func loads<Item>(of list: ListState<Item>, _ id: ListID) -> [Load] {
    list.load.map { [Load(list: id, kind: $0.kind)] } ?? []
  }
}
