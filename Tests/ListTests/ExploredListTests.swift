import FluxAsync
import FluxCollections
import FluxCore
import FluxLists
import FluxTesting
import TestSupport
import Testing

@Suite("Lists, in all orders", .unlessItHangs)
struct ExploredListTests {
  private struct Trouble: Error, CustomStringConvertible {
    var description: String { "trouble" }
  }

  private struct HeldPages: AnyPaginatedListRepository {
    let run: ExplorationRun
    var failures: [any Error] = []
    let paginationStrategy = LimitOffsetPaginationStrategy(limit: 3)

    func fetch() async throws -> [Book] {
      let first = paginationStrategy.offset + 1
      return try await run.answer(to: "books from \(first)", failing: failures, isCancellable: false) {
        (first..<first + 3).map { Book($0) }
      }
    }
  }

  private func makeStore(
    _ run: ExplorationRun, _ books: ListSlice<Library, Book>, _ library: Library = Library()
  ) -> TestStore<Library> {
    run.store(
      reducer: { (library: inout Library, action) in books.reducer(&library, action) }, state: library)
  }

  @Test("pages of books are complete and in order, while the user refreshes and loads more")
  func pages() async {
    let report = await explore { run in
      let books = ListSlice("Books", at: \Library.books, from: HeldPages(run: run))
      let store = makeStore(run, books)
      run.always("whole pages in order") { (library: Library) in
        library.books.ids == Array(1..<library.books.ids.count + 1)
          && library.books.ids.count.isMultiple(of: 3)
      }
      run.eventually("nothing is loading") { (library: Library) in library.books.load == nil }
      store.send(books.reload)
      run.may("load more") { store.send(books.fetchNext) }
      run.may("refresh") { store.send(books.refresh) }
    }
    #expect(report.isComplete)
  }

  @Test("a failed load leaves the list as it was")
  func failures() async {
    let report = await explore { run in
      let books = ListSlice("Books", at: \Library.books, from: HeldPages(run: run, failures: [Trouble()]))
      let store = makeStore(run, books, Library(books: ListState((1...3).map { Book($0) })))
      run.always("the first page remains") { (library: Library) in library.books.ids.starts(with: 1...3) }
      run.eventually("nothing is loading") { (library: Library) in library.books.load == nil }
      store.send(books.refresh)
      run.may("load more") { store.send(books.fetchNext) }
    }
    #expect(report.isComplete)
  }

  /// Five books in two pages.
  private struct FiveBooks: AnyPaginatedListRepository {
    let run: ExplorationRun
    let paginationStrategy = LimitOffsetPaginationStrategy(limit: 3)

    func fetch() async throws -> [Book] {
      let first = paginationStrategy.offset + 1
      return try await run.answer(to: "books from \(first)", failing: [Trouble()]) {
        (first..<max(first, min(first + 3, 6))).map { Book($0) }
      }
    }
  }

  @Test("pages that fail are requested again, until the last page ends the list")
  func lastPage() async {
    let report = await explore { run in
      let books = ListSlice(
        "Books", at: \Library.books, from: FiveBooks(run: run), options: ListOptions(prefetchDistance: 2))
      let store = makeStore(run, books)
      run.always("whole pages in order") { (library: Library) in
        [[], [1, 2, 3], [1, 2, 3, 4, 5]].contains(library.books.ids)
      }
      run.always("only the last page ends the list") { (library: Library) in
        library.books.endState != .reachedEnd || library.books.ids == [1, 2, 3, 4, 5]
      }
      store.send(books.reload)
      store.send(books.fetchNext)
      run.may("show 3") { store.send(books.shown(3)) }
      run.may("load more") { store.send(books.fetchNext) }
      await run.untilQuiet()
      #expect(store.state.books.load == nil)
    }
    #expect(report.isComplete)
  }

  @Test("a reload replaces a load of more items, and no page is missing or repeated")
  func reloadDuringNext() async {
    let report = await explore { run in
      let books = ListSlice("Books", at: \Library.books, from: FiveBooks(run: run))
      let store = makeStore(run, books)
      run.always("whole pages in order") { (library: Library) in
        [[], [1, 2, 3], [1, 2, 3, 4, 5]].contains(library.books.ids)
      }
      store.send(books.reload)
      run.may("load more") { store.send(books.fetchNext) }
      run.may("reload") { store.send(books.reload) }
      await run.untilQuiet()
      #expect(store.state.books.load == nil)
    }
    #expect(report.isComplete)
  }

  /// Pages whose books have changed since the first page was loaded.
  private struct ChangedPages: AnyPaginatedListRepository {
    let run: ExplorationRun
    let paginationStrategy = LimitOffsetPaginationStrategy(limit: 3)

    func fetch() async throws -> [Book] {
      let first = paginationStrategy.offset + 11
      return try await run.answer(to: "books from \(first)") { (first..<first + 3).map { Book($0) } }
    }
  }

  @Test("a next page replaces no load, not even one that waits for a quiet interval")
  func whileDebounced() async {
    let report = await explore { run in
      let books = ListSlice(
        "Books", at: \Library.books, from: ChangedPages(run: run),
        options: ListOptions(policy: .latest.debounced(for: .seconds(1))))
      let store = makeStore(run, books, Library(books: ListState((1...3).map { Book($0) })))
      store.send(books.refresh)
      run.may("load more") { store.send(books.fetchNext) }
      run.may("load more again") { store.send(books.fetchNext) }
      await run.untilQuiet()
      #expect(store.state.books.load == nil)
      #expect(store.state.books.ids.starts(with: 11...13))
      #expect(store.state.books.ids == Array(11..<store.state.books.ids.count + 11))
    }
    #expect(report.isComplete)
  }

  private struct Saves: FluxState, Equatable {
    var books = ListState((1...2).map { Book($0) })
    /// Whether each save succeeded.
    var outcomes: [String: Bool] = [:]
  }

  private struct Saved: Action {
    let suffix: String
    let succeeds: Bool
  }

  @Test("of several edits of an item, exactly the refused ones are undone")
  func edits() async {
    let report = await explore { run in
      let books = ListSlice("Books", at: \Saves.books, from: AllBooks(server: BookServer()))
      let store = run.store(
        reducer: { (saves: inout Saves, action) in
          books.reducer(&saves, action)
          if let saved = action as? Saved { saves.outcomes[saved.suffix] = saved.succeeds }
        }, state: Saves())
      let rename: @Sendable (String) -> ListEdit<Book> = { suffix in
        books.update(
          1, { $0.title += suffix },
          commit: { _ in
            let result: Result<Void, any Error>
            do {
              result = .success(try await run.answer(to: "save \(suffix)", failing: [Trouble()]) {})
            } catch {
              result = .failure(error)
            }
            store.send(Saved(suffix: suffix, succeeds: (try? result.get()) != nil))
            try result.get()
            return nil
          })
      }
      for suffix in ["a", "b"] { store.send(rename(suffix)) }
      run.may("rename c") { store.send(rename("c")) }
      run.eventually("the title has the saved edits") { (saves: Saves) in
        // A saved edit applies when it is saved, so the order of the answers is the order of edits.
        let title = saves.books.items[id: 1]?.title ?? ""
        return title.dropFirst("Book 1".count).map(String.init).sorted()
          == saves.outcomes.filter(\.value).keys.sorted()
      }
      run.eventually("no edit is unconfirmed") { (saves: Saves) in !saves.books.hasUnconfirmedChanges }
    }
    #expect(report.isComplete)
  }

  @Test("a refresh beside an edit shows the edit if and only if it is not refused")
  func refreshBesideEdit() async {
    let report = await explore { run in
      let books = ListSlice("Books", at: \Library.books, from: HeldPages(run: run))
      let store = makeStore(run, books, Library(books: ListState((1...3).map { Book($0) })))
      store.send(
        books.update(
          2, { $0.title = "new" },
          commit: { book in
            try await run.answer(to: "save", failing: [Trouble()]) {}
            return book
          }))
      #expect(store.state.books.items[id: 2]?.title == "new")
      store.send(books.refresh)
      await run.untilQuiet()
      #expect(!store.state.books.hasUnconfirmedChanges)
      #expect(store.state.books.ids == [1, 2, 3])
    }
    #expect(report.isComplete)
  }
}
