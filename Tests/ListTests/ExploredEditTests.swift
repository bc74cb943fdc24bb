import FluxAsync
import FluxCollections
import FluxCore
import FluxLists
import FluxTesting
import TestSupport
import Testing

@Suite("Edits of lists, in all orders", .unlessItHangs)
struct ExploredEditTests {
  private struct Trouble: Error, CustomStringConvertible {
    var description: String { "trouble" }
  }

  /// The books that the server keeps.
  ///
  /// A refused request changes nothing.
  private struct Kept: FluxState, Equatable {
    var books = (1...3).map { Book($0) }
  }

  private struct Keep: Action {
    let change: @Sendable (inout [Book]) -> Void
  }

  /// Answers with the books that the server kept when it received the request.
  private struct KeptBooks: AnyListRepository {
    let run: ExplorationRun
    let server: TestStore<Kept>

    func fetch() async throws -> [Book] {
      let books = try await run.answer(to: "the request for all books") { server.state.books }
      return try await run.answer(to: "all books", failing: [Trouble()]) { books }
    }
  }

  private struct World: Sendable {
    let run: ExplorationRun
    let server: TestStore<Kept>
    let books: ListSlice<Library, Book>
    let store: TestStore<Library>

    init(_ run: ExplorationRun) {
      self.run = run
      let server = run.store(
        reducer: { (kept: inout Kept, action) in (action as? Keep)?.change(&kept.books) }, state: Kept())
      let books = ListSlice("Books", at: \Library.books, from: KeptBooks(run: run, server: server))
      self.server = server
      self.books = books
      store = run.store(
        reducer: { (library: inout Library, action) in books.reducer(&library, action) },
        state: Library(books: ListState(server.state.books)))
    }

    /// Asks the server for a change of a book, which the server makes or refuses.
    ///
    /// The server refuses each change of a book that it does not know.
    func ask(
      _ request: String, of id: Int? = nil, _ change: @escaping @Sendable (inout [Book]) -> Void
    ) async throws {
      try await run.answer(to: request, failing: [Trouble()]) {
        if let id, !server.state.books.contains(where: { $0.id == id }) { throw Trouble() }
        server.send(Keep(change: change))
      }
    }

    var shown: [Book] { Array(store.state.books.items) }
  }

  @Test("an inserted and renamed book has the id and the title that the server keeps")
  func newID() async {
    let report = await explore { run in
      let world = World(run)
      world.store.send(
        world.books.insert(
          Book(-1, "a"), at: 0,
          commit: { _ in
            try await world.ask("insert") { $0.insert(Book(77, "a"), at: 0) }
            return Book(77, "a")
          }))
      world.store.send(
        world.books.update(
          -1, { $0.title += "b" },
          commit: { _ in
            try await world.ask("rename", of: 77) { $0[0].title = "ab" }
            return nil
          }))
      #expect(world.shown.first == Book(-1, "ab"))
      run.may("refresh") { world.store.send(world.books.refresh) }
      run.always("no other book changes") { (library: Library) in
        library.books.items.filter { $0.id != -1 && $0.id != 77 } == (1...3).map { Book($0) }
      }
      await run.untilQuiet()
      #expect(!world.store.state.books.hasUnconfirmedChanges)
      #expect(world.shown == world.server.state.books)
    }
    #expect(report.isComplete)
  }

  @Test("a deleted book returns if and only if the server refuses the deletion, beside a refresh")
  func deletion() async {
    let report = await explore { run in
      let world = World(run)
      world.store.send(
        world.books.delete(2) { _ in try await world.ask("delete") { $0.removeAll { $0.id == 2 } } })
      #expect(world.shown.map(\.id) == [1, 3])
      run.may("refresh") { world.store.send(world.books.refresh) }
      await run.untilQuiet()
      #expect(world.shown == world.server.state.books)
      #expect(!world.store.state.books.hasUnconfirmedChanges)
    }
    #expect(report.isComplete)
  }

  @Test("a reload beside an insert shows the books of the server, and the load cannot lose the insert")
  func insertBesideReload() async {
    let report = await explore { run in
      let world = World(run)
      world.store.send(world.books.reload)
      world.store.send(
        world.books.insert(
          Book(9), at: nil,
          commit: { _ in
            try await world.ask("insert") { $0.append(Book(9)) }
            return Book(9)
          }))
      await run.untilQuiet()
      #expect(!world.store.state.books.hasUnconfirmedChanges)
      let kept = world.server.state.books
      if world.store.state.books.loadingState == .loaded {
        #expect(world.shown == kept)
      } else {
        #expect(Set(world.shown).isSubset(of: kept))
      }
    }
    #expect(report.isComplete)
  }

  @Test("edits that end while a reload has erased the list do not prevent later edits")
  func editsDuringReload() async {
    let report = await explore { run in
      let world = World(run)
      world.store.send(
        world.books.insert(
          Book(-1), at: nil,
          commit: { _ in
            try await world.ask("insert") { $0.append(Book(77)) }
            return Book(77)
          }))
      world.store.send(
        world.books.delete(2) { _ in try await world.ask("delete") { $0.removeAll { $0.id == 2 } } })
      world.store.send(world.books.reload)
      await run.untilQuiet()
      #expect(!world.store.state.books.hasUnconfirmedChanges)
      world.store.send(world.books.insert(Book(-1), at: nil) { _ in Book(78) })
      #expect(world.shown.last?.id == -1)
      await run.untilQuiet()
      #expect(world.shown.last?.id == 78)
      let isKept = world.server.state.books.contains { $0.id == 2 }
      let isShown = world.shown.contains { $0.id == 2 }
      #expect(isShown == (isKept && world.store.state.books.loadingState == .loaded))
    }
    #expect(report.isComplete)
  }

  @Test("an edit that the user cancels is undone, beside a refresh")
  func cancellation() async {
    let report = await explore { run in
      let world = World(run)
      let rename = world.books.update(
        2, { $0.title = "new" },
        commit: { book in
          try await world.ask("rename", of: 2) { $0[1].title = "new" }
          return book
        })
      world.store.send(rename)
      world.store.send(world.books.refresh)
      run.may("cancel") { world.store.send(CancelWork(of: ListEdit<Book>.self)) }
      await run.untilQuiet()
      #expect(!world.store.state.books.hasUnconfirmedChanges)
      let title = world.store.state.books.items[id: 2]?.title
      let isKept = world.server.state.books[1].title == "new"
      #expect(isKept || title == "Book 2")
    }
    #expect(report.isComplete)
  }
}
