import FluxAsync
import FluxCollections
import FluxCore
import FluxLists
import TestSupport
import Testing

@Suite("Lists that many threads load and edit at the same time", .unlessItHangs)
struct ListStormTests {
  private let threads = 12

  @Test(
    "Refreshes that are late, fail, or are canceled lose no edit", arguments: 1...3 as ClosedRange<UInt64>)
  func edits(seed: UInt64) async {
    let server = StormServer(seed: seed, books: (0..<240).map { Book($0) })
    let slice = ListSlice("Books", at: \Library.books) { _ in try await server.all() }
    let log = RequestLog<Library>()
    let first = Library(books: ListState(server.books))
    let store = Store(reducer: slice.reducer, plugins: [log.plugin], state: first)
    await storm(seed) { index, random in
      // Each book is edited once, so that the order of the edits does not matter.
      var mine = (0..<20).map { $0 * threads + index }.shuffled(using: &random)
      for round in 0..<30 {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: store.dispatch(slice.refresh)
        case 1: store.dispatch(slice.cancel)
        case 2, 3:
          let (book, position) = (Book(1000 + index * 100 + round), Int.random(in: 0..<200, using: &random))
          store.dispatch(slice.insert(book, at: position) { try await server.insert($0) })
        case 4, 5:
          guard let id = mine.popLast() else { break }
          store.dispatch(slice.update(id, { $0.title += ", revised" }) { try await server.update($0) })
        default:
          guard let id = mine.popLast() else { break }
          store.dispatch(slice.delete(id) { try await server.delete($0) })
        }
      }
    }
    server.calm()
    await store.effects.finished()
    let list = store.state.books
    #expect(!list.isLoading)
    #expect(!list.hasUnconfirmedChanges)
    #expect(list.items.titles == server.titles, "seed \(seed)")
    log.expectOneEndEach(inLane: listLane)
    log.expectReplay(of: slice.reducer, from: first, isEqualTo: store.state)
  }

  @Test(
    "Every load and edit of a paged list is settled once, and the list can then be loaded to its end",
    arguments: 1...3 as ClosedRange<UInt64>)
  func pages(seed: UInt64) async {
    let server = StormServer(seed: seed, books: (0..<60).map { Book($0) })
    let slice = ListSlice("Books", at: \Library.books, from: StormBooks(server: server))
    let log = RequestLog<Library>()
    let store = Store(reducer: slice.reducer, plugins: [log.plugin], state: Library())
    await storm(seed) { index, random in
      for round in 0..<40 {
        let id = Int.random(in: 0..<60, using: &random)
        switch Int.random(in: 0..<16, using: &random) {
        case 0: store.dispatch(slice.reload)
        case 1: store.dispatch(slice.refresh)
        case 2...4: store.dispatch(slice.fetchNext)
        case 5: store.dispatch(slice.shown(id))
        case 6: store.dispatch(slice.loadIfNeeded)
        case 7: store.dispatch(slice.invalidate)
        case 8: store.dispatch(slice.flush)
        case 9: store.dispatch(Bool.random(using: &random) ? slice.cancel : CancelWork.all())
        case 10: store.request(slice.fetchNext).abort("at random")
        case 11: store.dispatchAsync(slice.refresh).cancel()
        case 12: store.dispatch(slice.override(by: (id..<id + 9).map { Book($0) }))
        case 13:
          let book = Book(1000 + index * 100 + round)
          store.dispatch(slice.insert(book, at: id, in: StormBooks(server: server)))
        case 14:
          store.request(slice.update(id, in: StormBooks(server: server)) { $0.title += "!" })
            .abort(unless: id.isMultiple(of: 2))
        default: store.dispatch(slice.delete(id, in: StormBooks(server: server)))
        }
      }
    }
    server.calm()
    await store.effects.finished()
    #expect(!store.state.books.isLoading)
    #expect(!store.state.books.hasUnconfirmedChanges)
    log.expectOneEndEach(inLane: listLane)
    log.expectReplay(of: slice.reducer, from: Library(), isEqualTo: store.state)

    _ = await store.request(slice.reload).result
    while store.state.books.canFetchNext { _ = await store.request(slice.fetchNext).result }
    #expect(Array(store.state.books.items) == server.books, "seed \(seed)")
    #expect(store.state.books.endState == .reachedEnd)
  }

  @Test("Lists of a group that are loaded at the same time contain only the items of their own repositories")
  func group() async {
    let servers = (0..<3).map { number in
      StormServer(seed: UInt64(number), books: (0..<40).map { Book(number * 1000 + $0) })
    }
    let (all, songs) = (servers[0], servers[2])
    let wishes = ListSlice("Wishes", at: \Shop.library.wishes) { _ in try await servers[1].all() }
    let group = ListGroup(
      ListSlice("Books", at: \Shop.library.books) { _ in try await all.all() }, wishes,
      ListSlice("Songs", at: \Shop.songs) { _ in
        ListPage(try await songs.all().items.map { Song(id: $0.title) })
      })
    let log = RequestLog<Shop>()
    let store = Store(reducer: group.reducer, plugins: [log.plugin], state: Shop())
    await storm(1) { _, random in
      for _ in 0..<20 {
        switch Int.random(in: 0..<9, using: &random) {
        case 0, 1: store.dispatch(group.reload)
        case 2: store.dispatch(group.refresh)
        case 3: store.dispatch(group.loadIfNeeded)
        case 4: store.dispatch(group.invalidate)
        case 5: store.dispatch(group.flush)
        case 6: store.dispatch(group.cancel)
        case 7: store.dispatch(wishes.reload)
        default: store.dispatchAsync(group.reload).cancel()
        }
      }
    }
    for server in servers { server.calm() }
    await store.effects.finished()
    log.expectOneEndEach(inLane: listLane)
    log.expectReplay(of: group.reducer, from: Shop(), isEqualTo: store.state)
    #expect(!group.isLoading(in: store.state))
    expectOwn(of: servers, in: store.state, orEmpty: true)
    await store.dispatchAsync(group.reload).finished()
    expectOwn(of: servers, in: store.state, orEmpty: false)
  }

  @Test("Loads and edits that were settled, canceled, or dropped are released")
  func lifetimes() async {
    let (tracker, released, made) = (LifetimeTracker(), EventLog<Bool>(), Shared(0))
    do {
      let server = StormServer(seed: 7, books: (0..<60).map { Book($0) })
      let kept = Kept(tracker: tracker, released: released, made: made)
      let slice = ListSlice("Books", at: \Library.books) { [tracked = kept.make()] _ in
        tracked.touch()
        return try await server.all()
      }
      let plugin = Plugin<Library>(onStoreEnd: { [tracked = kept.make()] _ in tracked.touch() })
      let store = Store(
        reducer: slice.reducer, plugins: [plugin], state: Library(books: ListState(server.books)))
      await storm(7) { index, random in
        for round in 0..<20 {
          let (id, tracked) = (Int.random(in: 0..<60, using: &random), kept.make())
          switch Int.random(in: 0..<6, using: &random) {
          case 0: store.dispatch(slice.reload)
          case 1: store.dispatch(slice.flush)
          case 2:
            store.dispatch(
              slice.insert(Book(1000 + index * 100 + round)) { book in
                tracked.touch()
                return try await server.insert(book)
              })
          case 3:
            store.request(slice.update(id, { _ in tracked.touch() }) { try await server.update($0) })
              .abort(unless: id.isMultiple(of: 2))
          case 4:
            store.dispatchAsync(
              slice.delete(id) { book in
                tracked.touch()
                try await server.delete(book)
              }
            ).cancel()
          default: store.dispatch(CancelWork.all())
          }
        }
      }
      server.calm()
      await store.effects.finished()
    }
    await released.count(atLeast: made.value)
    #expect(tracker.alive == 0)
  }

  // MARK: Fixtures

  private struct Shop: FluxState, Equatable {
    var library = Library()
    var songs = ListState<Song>()
  }

  /// Creates objects, each of which records its release.
  private struct Kept: Sendable {
    let tracker: LifetimeTracker
    let released: EventLog<Bool>
    let made: Shared<Int>

    func make() -> LifetimeTracker.Tracked {
      made.increment()
      return tracker.make { [released] in released.record(true) }
    }
  }

  private func expectOwn(
    of servers: [StormServer], in shop: Shop, orEmpty: Bool, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let shown = [
      shop.library.books.items.map(\.title), shop.library.wishes.items.map(\.title),
      shop.songs.items.map(\.id),
    ]
    for (titles, server) in zip(shown, servers) where !(orEmpty && titles.isEmpty) {
      #expect(titles == server.books.map(\.title), sourceLocation: sourceLocation)
    }
  }

  /// Runs a closure on all threads at the same time, each with its own random numbers.
  private func storm(
    _ seed: UInt64, _ work: @escaping @Sendable (_ index: Int, _ random: inout SeededGenerator) -> Void
  ) async {
    await resultOfThread { [threads] in
      onThreads(threads) { index in
        var random = SeededGenerator(seed: seed &* 1000 &+ UInt64(index))
        work(index, &random)
      }
    }
  }
}

extension RequestTask {
  fileprivate func abort(unless isKept: Bool) {
    if !isKept { abort("at random") }
  }
}
