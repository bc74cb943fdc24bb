import FluxAsync
import FluxCollections
import FluxCore
import FluxLists
import FluxTesting
import Observation
import TestSupport
import Testing

@Suite("Edits during loads", .unlessItHangs)
struct MeetingChangesTests {
  private let server = BookServer()

  private func id(_ number: UInt64) -> RequestID { RequestID(rawValue: number) }

  private func page(
    _ books: [Book], at position: PagePosition = .first, hasMore: Bool = true
  ) -> ListAnswer<Book> {
    let page = LoadedPage(at: position, count: books.count)
    return ListAnswer(books, page: page, nextPage: hasMore ? page.following : nil, at: .zero)
  }

  // MARK: Edits shown immediately

  @Test("Inserts that were confirmed during a refresh keep their order when its answer lacks them")
  func insertsKeptInOrder() {
    var list = ListState([Book(1)])
    list.began(.refresh, id: id(1))
    for book in 2...40 {
      list.began(.insert(Book(book), at: nil), id: id(UInt64(book)))
      list.confirmed(id(UInt64(book)), as: nil)
    }
    list.received(page([Book(1)]), for: id(1))
    #expect(list.ids == Array(1...40))
  }

  @Test("items whose deletion is refused return to their old order, in any order of refusals")
  func deletesRefused() {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<300 {
      let before = ListState((1...6).map { Book($0) })
      var list = before
      let deleted = (1...6).shuffled(using: &random).prefix(Int.random(in: 2...6, using: &random))
      var waiting: [UInt64] = []
      for book in deleted {
        list.began(.delete(book), id: id(UInt64(book)))
        waiting.append(UInt64(book))
        // Some deletions are refused in between.
        if Int.random(in: 0..<4, using: &random) == 0 {
          list.refused(id(waiting.remove(at: Int.random(in: waiting.indices, using: &random))))
        }
      }
      for number in waiting.shuffled(using: &random) { list.refused(id(number)) }
      #expect(list.ids == before.ids, "\(deleted)")
      if list.ids != before.ids { return }
    }
  }

  @Test(
    "after any edits, refusals, and refreshes, the confirmed items are in the server's order",
    arguments: 1...40)
  func order(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var kept = (1...7).map { Book($0) }
    var list = ListState(kept)
    var asked: [(number: UInt64, change: ListChange<Book>)] = []
    func settle(_ index: Int, keeps: Bool) {
      let (number, change) = asked.remove(at: index)
      guard keeps else { return list.refused(id(number)) }
      if case .delete(let id) = change { kept.removeAll { $0.id == id } }
      if case .update(let id, let body) = change, let at = kept.firstIndex(where: { $0.id == id }) {
        body(&kept[at])
      }
      list.confirmed(id(number), as: nil)
    }
    for step in 1...40 as ClosedRange<UInt64> {
      let book = Int.random(in: 1...7, using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0...2 where list.items.contains(id: book):
        asked.append((step, .delete(book)))
        list.began(.delete(book), id: id(step))
      case 3 where list.items.contains(id: book):
        let change = ListChange<Book>.update(book) { $0.title += " \(step)" }
        asked.append((step, change))
        list.began(change, id: id(step))
      case 4 where step.isMultiple(of: 3):
        list.began(Bool.random(using: &random) ? .reload : .refresh, id: id(1000 + step))
        list.received(page(kept), for: id(1000 + step))
      default:
        guard let index = asked.indices.randomElement(using: &random) else { continue }
        settle(index, keeps: Int.random(in: 0..<5, using: &random) == 0)
      }
      let gone = Set(asked.compactMap { if case .delete(let id) = $0.change { id } else { nil } })
      #expect(list.ids == kept.map(\.id).filter { !gone.contains($0) }, "step \(step)")
    }
    while let index = asked.indices.randomElement(using: &random) { settle(index, keeps: false) }
    #expect(list.items.values == kept)
    #expect(!list.hasUnconfirmedChanges)
  }

  @Test("two drafts with the same temporary id both remain when they are confirmed")
  func sameTemporaryID() {
    var list = ListState<Book>([Book(1)])
    list.began(.insert(Book(0, "a"), at: nil), id: id(1))
    list.began(.insert(Book(0, "b"), at: nil), id: id(2))
    list.confirmed(id(1), as: Book(77, "a"))
    #expect(list.items.map(\.title) == ["Book 1", "a", "b"])
    list.confirmed(id(2), as: Book(78, "b"))
    #expect(list.ids == [1, 77, 78])
    #expect(!list.hasUnconfirmedChanges)
  }

  @Test("a next page does not restore an item that is being deleted")
  func deletedInNextPage() {
    var list = ListState([Book(1), Book(2)])
    list.began(.delete(2), id: id(1))
    list.began(.next, id: id(2))
    list.received(page([Book(2), Book(3)]), for: id(2))
    #expect(list.ids == [1, 3])
    list.refused(id(1))
    #expect(list.ids == [1, 2, 3])
  }

  @Test("waiting edits are shown again, even if the erased list is loaded by its next page")
  func hiddenInNextPage() {
    var list = ListState([Book(1), Book(2)])
    list.began(.update(2) { $0.title += "!" }, id: id(1))
    list.began(.reload, id: id(2))
    list.failed(ListFailure(.cancelled), for: id(2))
    list.began(.insert(Book(9), at: 0), id: id(3))
    list.began(.next, id: id(4))
    list.received(page([Book(1), Book(2)]), for: id(4))
    #expect(list.items.map(\.title) == ["Book 9", "Book 1", "Book 2!"])
    list.confirmed(id(1), as: Book(2, "kept"))
    #expect(list.items[id: 2]?.title == "kept")
  }

  @Test("an edit that was confirmed during a refresh is not undone by the older answer")
  func keptDuringRefresh() {
    var list = ListState([Book(1), Book(2)])
    list.began(.refresh, id: id(1))
    list.began(.delete(1), id: id(2))
    list.began(.update(2) { $0.title = "new" }, id: id(3))
    list.confirmed(id(2), as: nil)
    list.confirmed(id(3), as: Book(2, "new"))
    list.received(page([Book(1), Book(2)]), for: id(1))
    #expect(list.items.map(\.title) == ["new"])
  }

  @Test("after a deletion, the next page by offset omits no item")
  func offsetAfterDelete() async {
    let books = ListSlice("Books", at: \Library.books, from: PagedBooks(server))
    let store = Store(reducer: books.reducer, state: Library())
    server.answer(1, 1...3)
    _ = await store.request(books.reload).result
    _ = await store.request(books.delete(2) { _ in }).result
    // The server now has 1, 3, 4, 5, 6.
    server.answer(2, 4...6)
    _ = await store.request(books.fetchNext).result
    #expect(server.calls.values == ["3 from 0", "3 from 2"])
  }

  @Test("a reason that a repository throws is the reason of the failure")
  func failureOfItsOwn() {
    #expect(ListFailure(ListFailure(.unwanted)).code == .unwanted)
    #expect(ListFailure(ListFailure(.timedOut)) == ListFailure(.timedOut))
  }

  @Test("a list that is invalidated during a refresh is still invalid when the answer arrives")
  func invalidatedMeanwhile() {
    var list = ListState([Book(1)])
    list.began(.refresh, id: id(1))
    list.invalidate()
    list.received(page([Book(1)]), for: id(1))
    #expect(list.isStale(at: .zero, lifetime: nil))
    list.began(.refresh, id: id(2))
    list.received(page([Book(1)]), for: id(2))
    #expect(!list.isStale(at: .zero, lifetime: nil))
  }

  @Test("a total that only the first page contains ends the list when it is reached")
  func totalOfFirstPage() async {
    let books = ListSlice("Books", at: \Library.books, from: PagedBooks(server))
    let store = Store(reducer: books.reducer, state: Library())
    server.answer(1, 1...3, total: 6)
    _ = await store.request(books.reload).result
    server.answer(2, 4...6)
    _ = await store.request(books.fetchNext).result
    #expect(store.state.books.total == 6)
    #expect(store.state.books.endState == .reachedEnd)
  }

  @Test("a canceled load leaves no trace, and an earlier failure remains")
  func cancelledKeepsError() {
    var list = ListState([Book(1)])
    list.began(.refresh, id: id(1))
    list.failed(ListFailure(BookServer.Trouble()), for: id(1))
    let before = list
    list.began(.refresh, id: id(2))
    list.failed(ListFailure(.cancelled), for: id(2))
    #expect(list == before)
    #expect(list.isStale(at: .zero, lifetime: nil))

    var item = ItemState("a")
    item.began(id(1), erasing: false)
    item.failed(ListFailure(BookServer.Trouble()), for: id(1))
    item.began(id(2), erasing: false)
    item.failed(ListFailure(.cancelled), for: id(2))
    #expect(item.loadingState == .error)
  }
}
