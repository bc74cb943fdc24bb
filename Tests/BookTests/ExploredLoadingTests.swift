import BookShelf
import Flux
import FluxTesting
import Testing

/// A service whose answers come in any order.
private struct HeldBooks: BookService {
  let run: ExplorationRun

  func shelf() async throws -> [Book] {
    try await run.answer(to: "the shelf", failing: [BookServiceError("The shelf is closed.")]) {
      books(1...3)
    }
  }

  func books(page: Int) async throws -> BookPage {
    try await run.answer(to: "page \(page) of the books") {
      BookPage(page: page, total: 4, books: books(2 * page - 1...2 * page))
    }
  }

  func songs(after name: String?) async throws -> SongPage {
    try await run.answer(to: "the songs") { SongPage(songs: []) }
  }

  func save(_ book: Book) async throws {
    try await run.answer(to: "save \(book.title)") {}
  }

  func remove(_ book: Book) async throws {
    try await run.answer(to: "remove \(book.title)") {}
  }

  private func books(_ numbers: ClosedRange<Int>) -> [Book] {
    numbers.map { Book(id: $0, title: "Book \($0)", author: "Author", year: 1900) }
  }
}

@Suite("Loading books, in all orders")
struct ExploredLoadingTests {
  @Test("the shelf shows its books, or the error, and no load is left")
  func shelf() async {
    let report = await explore { run in
      let app = ShelfApp(service: HeldBooks(run: run), clock: run.clock, show: { _ in })
      _ = app.begin("shelf")
      run.may("stop") { _ = app.begin("") }
      await run.untilQuiet()
      let shelf = app.store.state.shelf
      #expect(!app.isLoading)
      #expect(shelf.load == nil)
      #expect(shelf.items.isEmpty || shelf.items.ids == [1, 2, 3])
    }
    #expect(report.isComplete)
  }

  // There are thousands of orders, because a time limit applies to each load.
  @Test("a second page is appended to the first page, and only if both are loaded")
  func pages() async {
    let report = await explore(.random(seed: 1, runs: 200)) { run in
      let app = ShelfApp(service: HeldBooks(run: run), clock: run.clock, show: { _ in })
      _ = app.begin("all")
      run.may("more") { _ = app.begin("more") }
      await run.untilQuiet()
      #expect(!app.isLoading)
      #expect([[], [1, 2], [1, 2, 3, 4]].contains(app.store.state.books.items.ids))
    }
    #expect(report.failure == nil)
  }
}
