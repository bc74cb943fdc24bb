import Flux

/// The lists of the program: their sources, their actions, and their reducers.
struct ShelfLists: Sendable {
  static let shelfID: ListID = "Shelf"
  static let booksID: ListID = "Books"
  static let songsID: ListID = "Songs"

  let shelf: ListSlice<ShelfState, Book>
  let books: ListSlice<ShelfState, Book>
  let songs: ListSlice<ShelfState, Song>
  /// Books and songs, which are loaded at the same time.
  let together: ListGroup<ShelfState>

  /// Creates the lists.
  ///
  /// - Parameter timeout: The time limit of a load.
  init(timeout: Duration) {
    let policy = WorkPolicy.latest.timingOut(after: timeout)
    let books = ListOptions<Book>(policy: policy, lifetime: .seconds(300))
    shelf = ListSlice(
      Self.shelfID, at: \ShelfState.shelf, from: ListRepository { try await bookService().shelf() },
      options: books)
    self.books = ListSlice(
      Self.booksID, at: \ShelfState.books, from: BooksRepository(), options: books)
    songs = ListSlice(
      Self.songsID, at: \ShelfState.songs, from: SongsRepository(),
      options: ListOptions(policy: policy, lifetime: .seconds(300)))
    together = ListGroup(self.books, songs)
  }

  /// The reducer of the lists' actions.
  var reducer: ActionHandlers<ShelfState> { combine(shelf.reducer, together.reducer) }

  func slice(_ which: ShelfState.BookList) -> ListSlice<ShelfState, Book> {
    switch which {
    case .shelf: shelf
    case .all: books
    }
  }
}

/// Returns the source of books and songs, while a store loads or edits a list.
func bookService() throws(MissingService) -> any BookService {
  try Services.ofRepository((any BookService).self)
}

/// All books, in numbered pages.
struct BooksRepository: AnyPageRepository {
  let paginationStrategy = PageNumberPaginationStrategy()

  func fetchPage(at position: PagePosition) async throws -> ListPage<Book> {
    let page = try await bookService().books(page: paginationStrategy.number(of: position))
    return ListPage(page.books, total: page.total)
  }
}

/// The songs, in pages that each contain the name of the next page.
struct SongsRepository: AnyPageRepository {
  let paginationStrategy = CursorPaginationStrategy()

  func fetchPage(at position: PagePosition) async throws -> ListPage<Song> {
    let page = try await bookService().songs(after: position.cursor)
    return ListPage(page.songs, nextCursor: page.next)
  }
}
