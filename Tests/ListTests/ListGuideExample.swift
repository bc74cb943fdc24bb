// The declarations of Lists.md, which `ListGuideTests` compares with the page word for word.

import FluxAsync
import FluxCollections
import FluxCore
import FluxLists

extension ListGuideTests {
  struct Book: Hashable, Identifiable {
    let id: Int
    var title: String
    var author: String
  }

  struct Song: Hashable, Identifiable {
    let id: Int
  }

  /// The server of the page's examples.
  struct Library {
    func books(limit: Int, offset: Int) async throws -> [Book] {
      (offset..<min(offset + limit, 45)).map {
        Book(id: $0, title: "Book \($0)", author: $0 < 20 ? "Austen" : "Joyce")
      }
    }

    func songs(after cursor: String?) async throws -> (songs: [Song], total: Int, next: String?) {
      ([Song(id: cursor == nil ? 0 : 1)], 2, cursor == nil ? "1" : nil)
    }

    func save(_ book: Book) async throws -> Book { book }
  }

  static let library = Library()

  struct BooksRepository: AnyPaginatedListRepository {
    let paginationStrategy = LimitOffsetPaginationStrategy(limit: 20)

    func fetch() async throws -> [Book] {
      try await library.books(limit: paginationStrategy.limit, offset: paginationStrategy.offset)
    }
  }

  struct SongsRepository: AnyPageRepository {
    let paginationStrategy = CursorPaginationStrategy()

    func fetchPage(at position: PagePosition) async throws -> ListPage<Song> {
      let answer = try await library.songs(after: position.cursor)
      return ListPage(answer.songs, total: answer.total, nextCursor: answer.next)
    }
  }

  struct AppState: FluxState {
    var books = ListState<Book>()
    var songs = ListState<Song>()
    var loads = 0
  }

  final class MarkedBooks: PaginatedListViewModel<BooksRepository> {
    var marked: Set<Int> = []

    override func flush() {
      marked = []
      super.flush()
    }
  }
}
