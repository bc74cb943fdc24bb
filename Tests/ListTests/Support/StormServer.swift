import FluxAsync
import FluxLists
import TestSupport

/// A server of books that answers out of order, fails, and stalls at random, until the test calms
/// it.
///
/// A call reaches the server after a delay, and its answer returns after another one. Answers may
/// therefore be out of date, and calls may overtake each other. A call that fails has changed
/// nothing.
final class StormServer: Sendable {
  private struct Contents: Sendable {
    var random: SeededGenerator
    var books: [Book]
    var isCalm = false
    var stalled: [CheckedContinuation<Void, Never>] = []
  }

  private static let maxStalled = 6
  private let contents: Shared<Contents>

  init(seed: UInt64, books: some Sequence<Book>) {
    contents = Shared(Contents(random: SeededGenerator(seed: seed), books: Array(books)))
  }

  /// The books of the server.
  var books: [Book] { contents.change { $0.books } }

  /// The titles of the server's books, by id.
  var titles: [Int: String] { books.titles }

  /// Continues all stalled calls, and answers all later ones immediately.
  func calm() {
    let stalled = contents.change { contents in
      contents.isCalm = true
      defer { contents.stalled = [] }
      return contents.stalled.shuffled(using: &contents.random)
    }
    for continuation in stalled { continuation.resume() }
  }

  // MARK: Calls

  func all() async throws -> ListPage<Book> {
    try await call { books in ListPage(books) }
  }

  func page(at offset: Int, limit: Int) async throws -> ListPage<Book> {
    try await call { books in ListPage(Array(books.dropFirst(offset).prefix(limit)), total: books.count) }
  }

  /// Adds a book, and gives every second book a new id.
  func insert(_ book: Book) async throws -> Book {
    try await call { books in
      let kept = book.id.isMultiple(of: 2) ? Book(book.id + 1_000_000, book.title) : book
      books.append(kept)
      return kept
    }
  }

  func update(_ book: Book) async throws -> Book {
    try await call { books in
      if let index = books.firstIndex(where: { $0.id == book.id }) { books[index] = book }
      return book
    }
  }

  func delete(_ book: Book) async throws {
    try await call { books in books.removeAll { $0.id == book.id } }
  }

  private func call<Answer>(_ body: (inout [Book]) -> Answer) async throws -> Answer {
    await stall()
    let answer = contents.change { contents -> Answer? in
      let fails = !contents.isCalm && Int.random(in: 0..<5, using: &contents.random) == 0
      return fails ? nil : body(&contents.books)
    }
    await stall()
    guard let answer else { throw BookServer.Trouble() }
    return answer
  }

  private func stall() async {
    await withCheckedContinuation { continuation in
      let released = contents.change { contents -> CheckedContinuation<Void, Never>? in
        guard !contents.isCalm, Bool.random(using: &contents.random) else { return continuation }
        contents.stalled.append(continuation)
        guard contents.stalled.count > Self.maxStalled else { return nil }
        return contents.stalled.remove(
          at: Int.random(in: contents.stalled.indices, using: &contents.random))
      }
      released?.resume()
    }
  }
}

extension Sequence<Book> {
  var titles: [Int: String] { Dictionary(map { ($0.id, $0.title) }, uniquingKeysWith: { $0 + " and " + $1 }) }
}

/// The pages of a storm server's books, which can be edited.
struct StormBooks: AnyPageRepository, AnyEditableListRepository {
  let server: StormServer
  let paginationStrategy = LimitOffsetPaginationStrategy(limit: 7)

  func fetchPage(at position: PagePosition) async throws -> ListPage<Book> {
    try await server.page(at: position.offset, limit: paginationStrategy.limit)
  }

  func insert(_ item: Book) async throws -> Book { try await server.insert(item) }
  func update(_ item: Book) async throws -> Book { try await server.update(item) }
  func delete(_ item: Book) async throws { try await server.delete(item) }
}
