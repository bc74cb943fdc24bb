import FluxAsync
import FluxCollections
import FluxCore
import FluxLists

struct Book: Hashable, Identifiable, Sendable {
  var id: Int
  var title: String

  init(_ id: Int, _ title: String? = nil) {
    self.id = id
    self.title = title ?? "Book \(id)"
  }
}

/// All books in one page.
struct AllBooks: AnyListRepository {
  let server: BookServer

  func fetch() async throws -> [Book] {
    try await server.ask("all").items
  }
}

/// Books in pages, like those of RepositoryList's guide.
struct PagedBooks: AnyPaginatedListRepository {
  let server: BookServer
  let paginationStrategy: LimitOffsetPaginationStrategy

  init(_ server: BookServer, limit: Int = 3) {
    self.server = server
    paginationStrategy = LimitOffsetPaginationStrategy(limit: limit)
  }

  func fetch() async throws -> [Book] {
    let page = try await server.ask("\(paginationStrategy.limit) from \(paginationStrategy.offset)")
    if let total = page.total { paginationStrategy.note(total: total) }
    return page.items
  }
}

/// The state of an app with two lists of one type.
struct Library: FluxState, Equatable {
  var books = ListState<Book>()
  var wishes = ListState<Book>()
}

extension ListState<Book> {
  /// The numbers of the shown books.
  var ids: [Int] { items.ids }
}
