package import Flux
package import FluxNavigation

/// The state of the program: three lists, and the screens.
package struct ShelfState: FluxState, Equatable {
  /// A list that is loaded as a whole.
  package var shelf = ListState<Book>()
  /// A list that is loaded in numbered pages.
  package var books = ListState<Book>()
  /// A list that is loaded in pages, each of which contains the name of the next page.
  package var songs = ListState<Song>()
  /// The screens that the user has visited, of which the last one is shown.
  package var routes = RouteStack(root: Screen.welcome)
  package var display = Display()

  package init() {}

  /// The current screen.
  package var screen: Screen { routes.top.route }

  /// The messages about the current screen.
  ///
  /// The observer that prints can receive several changes at the same time: a load can end before
  /// the observer receives the state in which the load began. The state therefore also contains
  /// counts of events, so that the printed text does not depend on how many changes the observer
  /// receives at the same time.
  package struct Display: FluxState, Equatable {
    /// The number of requests to show a screen.
    ///
    /// A repeated request for the same screen therefore shows the screen again.
    package var screens = 0
    /// The most recent loads of the current screen, which began together.
    package var loads: [Load] = []
    /// A Boolean value that indicates whether these loads are running.
    package var isWaiting = false
    /// A Boolean value that indicates whether new loads belong to one group, which ends when
    /// all its loads have begun and ended.
    package var isGathering = false
    /// The number of loads that have begun.
    package var begins = 0
    /// The number of times that all loads of the current screen have ended.
    package var ends = 0
    /// The last notes, which are shown below the screen.
    package var notes: [Note] = []
    /// The number of notes so far.
    package var said = 0

    mutating func say(_ note: Note) {
      notes.append(note)
      // An observer never needs more than the last 20 notes.
      if notes.count > 20 { notes.removeFirst() }
      said += 1
    }
  }

  /// A load of a list.
  package struct Load: Equatable, Sendable {
    let list: ListID
    let kind: ListLoadKind
  }

  /// The lists of books.
  package enum BookList: Equatable, Sendable {
    case shelf, all
  }

  /// A message of one or two lines.
  package enum Note: Equatable, Sendable {
    case text(String)
    case trouble(String)
    /// An edit of the book with the given number is shown, but has not been saved; the book is
    /// `nil` if the edit removes it.
    case changing(Int, Book?)
    /// The edit was saved.
    case changed(Int, Book?)
    /// The edit was rejected, and the book was restored.
    case refused(Int, Book?, String)
  }

  /// Returns a list of books.
  func list(_ which: BookList) -> ListState<Book> {
    switch which {
    case .shelf: shelf
    case .all: books
    }
  }

  /// The running loads of the current screen.
  var loads: [Load] {
    switch screen {
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
