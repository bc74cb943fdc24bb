import Flux

/// The sections of the lists, updated from the changes of the lists.
struct ShelfSections: Sendable {
  private let byAuthor: ListSections<Book>
  private let byCentury: ListSections<Book>
  private let books: ListSections<Book>
  private let songs: ListSections<Song>

  init(of lists: ShelfLists, in store: StoreProxy<ShelfState>) {
    let model = ListModel(lists.books, in: store)
    byAuthor = ListSections(of: model, by: .by { book in book.author })
    byCentury = ListSections(of: model, by: .by { book in book.century })
    books = ListSections(of: model, by: .whole("Books"))
    songs = ListSections(of: ListModel(lists.songs, in: store), by: .whole("Songs"))
  }

  /// Returns the sections that a screen shows.
  func sections(for screen: ShelfState.Screen) -> [any ListSection] {
    switch screen {
    case .welcome, .shelf, .all: []
    case .sections(.author): byAuthor.sections
    case .sections(.century): byCentury.sections
    case .together: books.sections as [any ListSection] + songs.sections
    }
  }
}
