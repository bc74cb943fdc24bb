import FluxAsync
import FluxCollections
import FluxCore
import FluxLists
import FluxTesting
import TestSupport
import Testing

@Suite("Edits that are shown before they are confirmed", .unlessItHangs)
struct OptimisticTests {
  /// Answers edits with the confirmed book.
  private let keeper = Server<Book>()
  private let books = ListSlice("Books", at: \Library.books, from: AllBooks(server: BookServer()))

  private func makeStore() -> Store<Library> {
    Store(reducer: books.reducer, state: Library(books: ListState((1...3).map { Book($0) })))
  }

  private func keep(_ name: String) -> @Sendable (Book) async throws -> Book? {
    { [keeper] book in try await keeper.ask("\(name) \(book.id) \(book.title)") }
  }

  private func rename(_ id: Int, _ title: String) -> ListEdit<Book> {
    books.update(id, { $0.title += title }, commit: keep("update"))
  }

  private func titles(_ store: Store<Library>) -> [String] { store.state.books.items.map(\.title) }

  @Test("an insert is shown immediately at the given position, and remains when it is confirmed")
  func insert() async {
    let store = makeStore()
    let edit = store.request(books.insert(Book(9), at: 1, commit: keep("insert")))
    #expect(store.state.books.ids == [1, 9, 2, 3])
    #expect(store.state.books.isUnconfirmed(9))
    keeper.answer(1, with: .success(Book(9)))
    _ = await edit.result
    #expect(store.state.books.ids == [1, 9, 2, 3])
    #expect(!store.state.books.hasUnconfirmedChanges)
    #expect(keeper.calls.values == ["insert 9 Book 9"])
  }

  @Test("a refused insert is removed")
  func insertRefused() async {
    let store = makeStore()
    let before = store.state
    keeper.fail(1)
    let edit = store.request(books.insert(Book(9), commit: keep("insert")))
    #expect(store.state.books.ids == [1, 2, 3, 9])
    #expect(await edit.result.failure == "failed: trouble")
    #expect(store.state == before)
  }

  @Test("an item that receives another id from the server keeps its position")
  func newID() async {
    let store = makeStore()
    keeper.answer(1, with: .success(Book(77)))
    _ = await store.request(books.insert(Book(-1), at: 0, commit: keep("insert"))).result
    #expect(store.state.books.ids == [77, 1, 2, 3])
    #expect(!store.state.books.hasUnconfirmedChanges)
  }

  @Test("an edit of an item that received another id meanwhile applies to the new id")
  func newIDWithChange() async {
    let store = makeStore()
    let insert = store.request(books.insert(Book(-1, "a"), at: 0, commit: keep("insert")))
    await keeper.calls.count(atLeast: 1)
    let update = store.request(rename(-1, "b"))
    await keeper.calls.count(atLeast: 2)
    keeper.answer(1, with: .success(Book(77, "a")))
    _ = await insert.result
    #expect(store.state.books.items[id: 77]?.title == "ab")
    keeper.fail(2)
    _ = await update.result
    #expect(store.state.books.items[id: 77]?.title == "a")
    #expect(store.state.books.ids == [77, 1, 2, 3])
  }

  @Test("an update is shown immediately, and later replaced by the server's version")
  func update() async {
    let store = makeStore()
    let edit = store.request(rename(2, "!"))
    #expect(titles(store) == ["Book 1", "Book 2!", "Book 3"])
    keeper.answer(1, with: .success(Book(2, "Book 2!, as kept")))
    _ = await edit.result
    #expect(titles(store) == ["Book 1", "Book 2!, as kept", "Book 3"])
    #expect(keeper.calls.values == ["update 2 Book 2!"])
  }

  @Test("a refused update is undone")
  func updateRefused() async {
    let store = makeStore()
    let before = store.state
    keeper.fail(1)
    _ = await store.request(rename(2, "!")).result
    #expect(store.state == before)
  }

  @Test(
    "of two updates of an item only the refused one is undone, in either order of the answers",
    arguments: [1, 2], [1, 2])
  func twoUpdates(refused: Int, first: Int) async {
    let store = makeStore()
    let edits = [store.request(rename(2, "a"))] + [store.request(rename(2, "b"))]
    await keeper.calls.count(atLeast: 2)
    #expect(titles(store)[1] == "Book 2ab")
    // The two began in either order.
    func answer(_ number: Int) async {
      let call = keeper.calls.values.firstIndex(of: "update 2 Book 2\(number == 1 ? "a" : "ab")")
      guard let call else { return #expect(Bool(false), "\(keeper.calls.values)") }
      if number == refused {
        keeper.fail(call + 1)
      } else {
        keeper.answer(call + 1, with: .success(Book(2, number == 1 ? "Book 2a" : "Book 2b")))
      }
      _ = await edits[number - 1].result
    }
    await answer(first)
    await answer(3 - first)
    #expect(titles(store)[1] == (refused == 1 ? "Book 2b" : "Book 2a"))
    #expect(!store.state.books.hasUnconfirmedChanges)
  }

  @Test("a deletion is shown immediately, and the item returns to its position when the deletion is refused")
  func deleteRefused() async {
    let store = makeStore()
    let before = store.state
    let edit = store.request(
      books.delete(2) { [keeper] book in _ = try await keeper.ask("delete \(book.id)") })
    #expect(store.state.books.ids == [1, 3])
    keeper.fail(1)
    _ = await edit.result
    #expect(store.state == before)
    #expect(keeper.calls.values == ["delete 2"])
  }

  @Test("a confirmed deletion is final")
  func delete() async {
    let store = makeStore()
    keeper.answer(1, with: .success(Book(2)))
    _ = await store.request(books.delete(2) { [keeper] book in _ = try await keeper.ask("delete") }).result
    #expect(store.state.books.ids == [1, 3])
    #expect(!store.state.books.hasUnconfirmedChanges)
  }

  @Test("an unknown item is neither changed nor sent to the repository")
  func unknown() async {
    let store = makeStore()
    #expect(await store.request(rename(99, "!")).result.failure == "unwanted")
    #expect(keeper.calls.values.isEmpty)
  }

  @Test("a canceled edit is undone")
  func cancelled() async {
    let store = makeStore()
    let before = store.state
    let edit = store.request(rename(2, "!"))
    edit.abort()
    #expect(store.state == before)
    _ = await edit.result
  }

  @Test("a refresh shows the server's list with the unconfirmed edits")
  func refreshMeanwhile() async {
    let server = BookServer()
    let books = ListSlice("Books", at: \Library.books, from: AllBooks(server: server))
    let store = Store(reducer: books.reducer, state: Library(books: ListState((1...3).map { Book($0) })))
    let edits = [
      store.request(books.delete(1) { [keeper] _ in _ = try await keeper.ask("delete") }),
      store.request(books.insert(Book(9), at: 0, commit: keep("insert"))),
      store.request(books.update(2, { $0.title += "!" }, commit: keep("update"))),
    ]
    server.answer(1, 1...4)
    _ = await store.request(books.refresh).result
    #expect(titles(store) == ["Book 9", "Book 2!", "Book 3", "Book 4"])
    for number in 1...3 { keeper.fail(number) }
    for edit in edits { _ = await edit.result }
    #expect(titles(store) == ["Book 1", "Book 2", "Book 3", "Book 4"])
  }

  @Test("a reload erases edited items, and shows the edits again with the new list")
  func reloadMeanwhile() async {
    let server = BookServer()
    let books = ListSlice("Books", at: \Library.books, from: AllBooks(server: server))
    let store = Store(reducer: books.reducer, state: Library(books: ListState((1...3).map { Book($0) })))
    let edit = store.request(books.update(2, { $0.title += "!" }, commit: keep("update")))
    let load = store.request(books.reload)
    #expect(store.state.books.items.isEmpty)
    server.answer(1, 1...2)
    _ = await load.result
    #expect(titles(store) == ["Book 1", "Book 2!"])
    await keeper.calls.count(atLeast: 1)
    #expect(keeper.calls.values == ["update 2 Book 2!"])
    keeper.fail(1)
    _ = await edit.result
    #expect(titles(store) == ["Book 1", "Book 2"])
  }

  @Test("an insert that is refused during a reload does not remain, whatever the result of the load")
  func refusedWhileReloading() async {
    let server = BookServer()
    let books = ListSlice("Books", at: \Library.books, from: AllBooks(server: server))
    let store = Store(reducer: books.reducer, state: Library())
    let load = store.request(books.reload)
    keeper.fail(1)
    _ = await store.request(books.insert(Book(9), commit: keep("insert"))).result
    #expect(store.state.books.items.isEmpty)
    server.fail(1)
    _ = await load.result
    #expect(store.state.books.items.isEmpty)
  }

  @Test("an edit that is settled while the list is erased is not shown, and does not prevent later edits")
  func settledWhileErased() {
    var list = ListState([Book(1), Book(2)])
    let ids = (1...4).map { RequestID(rawValue: $0) }
    list.began(.insert(Book(-1), at: nil), id: ids[0])
    list.began(.update(2) { $0.title = "new" }, id: ids[1])
    list.flush()
    list.confirmed(ids[0], as: Book(77))
    list.refused(ids[1])
    #expect(list.items.isEmpty)
    #expect(!list.hasUnconfirmedChanges)
    for (id, book) in [(ids[2], Book(2)), (ids[3], Book(-1))] {
      list.began(.insert(book, at: nil), id: id)
      #expect(list.ids == [book.id])
      list.refused(id)
      #expect(list.items.isEmpty)
    }
  }

  /// A simple model of a server and of the requests that it received.
  private struct Model {
    var kept: [Int: String] = [1: "a", 2: "b", 3: "c"]
    var asked: [(id: UInt64, change: ListChange<Book>)] = []

    var shown: [Int: String] { asked.reduce(into: kept) { Model.apply($1.change, to: &$0) } }

    static func apply(_ change: ListChange<Book>, to titles: inout [Int: String]) {
      switch change {
      case .insert(let book, _): titles[book.id] = book.title
      case .update(let id, let body):
        guard let title = titles[id] else { return }
        var book = Book(id, title)
        body(&book)
        titles[id] = book.title
      case .delete(let id): titles[id] = nil
      }
    }
  }

  @Test(
    "in any order of events, the shown list consists of the confirmed items and the waiting edits",
    arguments: 1...60)
  func likeTheModel(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var model = Model()
    var list = ListState(model.kept.map { Book($0.key, $0.value) })
    for step in 1...60 as ClosedRange<UInt64> {
      let id = Int.random(in: 1...5, using: &random)
      let change: ListChange<Book>
      switch Int.random(in: 0..<7, using: &random) {
      case 0: change = .insert(Book(id, "i\(step)"), at: Int.random(in: 0...3, using: &random))
      case 1, 2: change = .update(id) { $0.title += " \(step)" }
      case 3: change = .delete(id)
      case 4:
        list.began(Bool.random(using: &random) ? .refresh : .reload, id: RequestID(rawValue: 1000 + step))
        let books = model.kept.sorted { $0.key < $1.key }.map { Book($0.key, $0.value) }
        list.received(
          ListAnswer(books, page: LoadedPage(at: .first, count: books.count), at: .zero),
          for: RequestID(rawValue: 1000 + step))
        continue
      default:
        guard let index = model.asked.indices.randomElement(using: &random) else { continue }
        let (number, change) = model.asked.remove(at: index)
        if Bool.random(using: &random) {
          Model.apply(change, to: &model.kept)
          list.confirmed(RequestID(rawValue: number), as: nil)
        } else {
          list.refused(RequestID(rawValue: number))
        }
        continue
      }
      // Like a request that is not wanted, it is not sent.
      if case .insert = change {} else if model.shown[id] == nil { continue }
      model.asked.append((step, change))
      list.began(change, id: RequestID(rawValue: step))
      let shown = Dictionary(uniqueKeysWithValues: list.items.map { ($0.id, $0.title) })
      #expect(shown == model.shown, "step \(step)")
    }
    for (number, _) in model.asked { list.refused(RequestID(rawValue: number)) }
    #expect(Dictionary(uniqueKeysWithValues: list.items.map { ($0.id, $0.title) }) == model.kept)
    #expect(!list.hasUnconfirmedChanges)
  }
}
