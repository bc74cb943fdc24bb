import FluxAsync
import FluxCollections
import FluxCore
import FluxLists
import FluxTesting
import TestSupport
import Testing

@Suite("Late answers", .unlessItHangs)
struct StaleAnswerTests {
  private let server = BookServer(heedsCancellation: false)

  private var books: ListSlice<Library, Book> {
    ListSlice("Books", at: \Library.books, from: PagedBooks(server))
  }

  /// A store that runs all loads, with two loads in progress.
  private func twoLoads() async -> (
    store: Store<Library>, old: RequestTask<ListLoad<Book>>, new: RequestTask<ListLoad<Book>>
  ) {
    let store = Store(
      reducer: books.reducer, plugins: [.asyncWork(policies: [.of(ListLoad<Book>.self, .every)])],
      state: Library())
    let old = store.request(books.reload)
    await server.calls.count(atLeast: 1)
    let new = store.request(books.reload)
    await server.calls.count(atLeast: 2)
    return (store, old, new)
  }

  @Test(
    "the answer to an older load changes nothing after the answer to a newer one", arguments: [true, false])
  func stale(newerFirst: Bool) async {
    let store = Store(reducer: books.reducer, state: Library())
    let old = store.request(books.reload)
    await server.calls.count(atLeast: 1)
    let new = store.request(books.refresh)
    await server.calls.count(atLeast: 2)
    if newerFirst {
      server.answer(2, 4...6)
      _ = await new.result
      server.answer(1, 1...3)
    } else {
      server.answer(1, 1...3)
      #expect(store.state.books.ids.isEmpty)
      #expect(store.state.books.isLoading)
      server.answer(2, 4...6)
    }
    _ = await (old.result, new.result)
    #expect(store.state.books.ids == [4, 5, 6])
    #expect(!store.state.books.isLoading)
  }

  @Test("even if a policy runs all loads, only the answer to the newest load is used")
  func everyPolicy() async throws {
    let (store, old, new) = await twoLoads()
    server.answer(2, 4...6)
    _ = await new.result
    let loaded = store.state
    server.answer(1, 1...3)
    #expect(try await old.result.get().items.map(\.id) == [1, 2, 3])
    #expect(store.state == loaded)
  }

  @Test("an answer to an older load does not end a newer one")
  func olderFirst() async {
    let (store, old, new) = await twoLoads()
    server.answer(1, 1...3)
    _ = await old.result
    #expect(store.state.books.items.isEmpty)
    #expect(store.state.books.isLoading)
    server.answer(2, 4...6)
    _ = await new.result
    #expect(store.state.books.ids == [4, 5, 6])
  }

  @Test("a late failure is not shown")
  func lateFailure() async {
    let (store, old, new) = await twoLoads()
    server.fail(1)
    _ = await old.result
    #expect(store.state.books.isLoading)
    #expect(store.state.books.error == nil)
    server.answer(2, 4...6)
    _ = await new.result
    #expect(store.state.books.loadingState == .loaded)
  }

  /// The events of a list that was loaded before, whose loads have their positions as ids.
  private enum Event: CaseIterable {
    case reload, refresh, next, answer, failure, cancel, flush
  }

  @Test("in any order of events, a list without loads has no loading indicator, and no id occurs twice")
  func allOrders() {
    func walk(_ path: [Event], _ list: ListState<Book>, sent: [UInt64]) {
      #expect((list.load == nil) == (list.loadingState != .loading && list.endState != .loading), "\(path)")
      #expect(Set(list.ids).count == list.ids.count, "\(path)")
      #expect(list.load.map { $0.id.rawValue == sent.last } ?? true, "\(path)")
      guard path.count < 5 else { return }
      for event in Event.allCases {
        var (list, sent) = (list, sent)
        let id = RequestID(rawValue: UInt64(path.count + 1))
        switch event {
        case .reload, .refresh:
          list.began(event == .reload ? .reload : .refresh, id: id)
          sent.append(id.rawValue)
        case .next:
          guard list.canFetchNext else { continue }
          list.began(.next, id: id)
          sent.append(id.rawValue)
        case .answer, .failure, .cancel:
          // An answer to any load that was sent, in progress or not.
          for number in sent {
            var list = list
            let id = RequestID(rawValue: number)
            let isStale = list.load?.id != id
            let before = list
            if event == .answer {
              let position = list.load?.kind == .next ? list.nextPage ?? .first : .first
              let page = LoadedPage(at: position, count: 2)
              list.received(
                ListAnswer(
                  [Book(position.offset), Book(position.offset + 1)], page: page, nextPage: page.following,
                  at: .zero), for: id)
            } else {
              list.failed(
                event == .cancel ? ListFailure(.cancelled) : ListFailure(BookServer.Trouble()), for: id)
            }
            if isStale { #expect(list == before, "\(path + [event]) of \(number)") }
            walk(path + [event], list, sent: sent)
          }
          continue
        case .flush:
          list.flush()
        }
        walk(path + [event], list, sent: sent)
      }
    }
    walk([], ListState([Book(7)]), sent: [])
  }
}
