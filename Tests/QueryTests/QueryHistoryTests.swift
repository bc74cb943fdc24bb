import FluxAsync
import FluxCore
import FluxMiddleware
import FluxTesting
import TestSupport
import Testing

@testable import FluxQuery

/// The rules for a history whose state contains a cache.
///
/// - A history that precedes the plug-in of the cache and records only the actions of the app
///   reduces the actions of the cache again. An undo therefore keeps results, requests, and edits.
/// - A history that restores the cache, because it records the actions of the cache or undoes
///   unrecorded actions, can restore a request that is not running. The request ends, and the
///   query is fetched again if it has subscribers and no current result.
/// - The answer of a request that the restored cache does not contain is dropped.
/// - A query with subscribers whose entry the restored cache does not contain is fetched again. If
///   a request of the query is still running, the next request begins after its end.
/// - A history of a part without the cache does not affect the cache.
@Suite("Queries in the state of a history", .unlessItHangs)
struct QueryHistoryTests {
  /// A store with a history of the whole state.
  private struct Travel {
    let history: History<AppState>
    let world: World

    init(records: ActionFilter = .only(Count.self), unrecorded: UnrecordedActionPolicy = .preserved) {
      let history = History<AppState>(records: records, unrecorded: unrecorded)
      self.history = history
      world = World(outerPlugins: [history.plugin])
    }

    func dispatch(_ actions: any Action...) {
      for action in actions { world.store.dispatch(action) }
    }

    var count: Int { world.store.state.count }
    var title: String? { world.film(7).data?.title }
    var calls: [String] { world.service.calls.values }
  }

  // MARK: A history that records only the actions of the app

  @Test("an undo and a redo keep a result that arrived after the undone action")
  func keepsResult() async {
    let travel = Travel()
    travel.dispatch(Count())
    await travel.world.load(7, "Playtime")
    travel.dispatch(HistoryAction.undo)
    #expect(travel.count == 0)
    #expect(travel.title == "Playtime")
    travel.dispatch(HistoryAction.redo)
    #expect(travel.count == 1)
    #expect(travel.title == "Playtime")
    #expect(travel.calls.count == 1)
  }

  @Test("an undo keeps a request that began after the undone action, and the request is answered once")
  func keepsRequest() async {
    let travel = Travel()
    travel.dispatch(Count())
    let (observer, _) = travel.world.observe(7)
    travel.dispatch(HistoryAction.undo)
    #expect(observer.state.isFetching)
    await travel.world.answer("film 7", "Playtime")
    #expect(observer.state.data?.title == "Playtime")
    travel.dispatch(HistoryAction.redo)
    #expect(travel.count == 1)
    #expect(observer.state.data?.title == "Playtime")
    #expect(travel.calls.count == 1)
    #expect(!travel.world.actions.values.contains { $0.hasPrefix("ForgetRequest") })
  }

  @Test("an undo keeps the edit of a running mutation, and the failure of the mutation removes the edit")
  func keepsEdit() async {
    let travel = Travel()
    await travel.world.load(7, "Playtime")
    travel.dispatch(Count())
    travel.world.store.mutate(Rename(id: 7, title: "Traffic"))
    travel.dispatch(HistoryAction.undo)
    #expect(travel.title == "Traffic")
    await travel.world.fail("rename 7 to Traffic")
    #expect(travel.title == "Playtime")
    #expect(travel.world.cache.pendingRequests == 0)
  }

  @Test("jumps back and forth keep the cache, and cause no request")
  func jumps() async {
    let travel = Travel()
    let (observer, _) = travel.world.observe(7)
    for title in ["Playtime", "Traffic"] {
      travel.dispatch(Count())
      travel.world.store.prefetch(FilmByID(id: 7), .always)
      await travel.world.answer("film 7", title)
    }
    let calls = travel.calls.count
    for position in [0, 2, 1, 0, 1, 2] {
      travel.dispatch(HistoryAction.jump(to: position))
      #expect(travel.count == position)
      #expect(observer.state.data?.title == "Traffic")
    }
    #expect(travel.calls.count == calls)
  }

  // MARK: A history that restores the cache

  @Test("an undo that removes the result of an observed query fetches the query again")
  func removedResult() async {
    let travel = Travel(unrecorded: .undoneWithEntry)
    travel.dispatch(Count())
    let (observer, _) = travel.world.observe(7)
    await travel.world.answer("film 7", "Playtime")
    travel.dispatch(HistoryAction.undo)
    #expect(observer.state.currentData == nil)
    #expect(observer.state.isFetching)
    await travel.world.answer("film 7", "Traffic")
    #expect(observer.state.data?.title == "Traffic")
  }

  @Test("an undo that removes the running request of an observed query fetches the query again")
  func removedRequest() async {
    let travel = Travel(unrecorded: .undoneWithEntry)
    travel.dispatch(Count())
    let (observer, _) = travel.world.observe(7)
    await travel.world.service.calls.count(atLeast: 1)
    travel.dispatch(HistoryAction.undo)
    #expect(observer.state.isUninitialized)
    // Requests of a query do not overlap, so the next request begins after the answer.
    travel.world.service.answer("film 7", with: .success("dropped"))
    await travel.world.service.calls.count(atLeast: 2)
    #expect(observer.state.data == nil)
    await travel.world.answer("film 7", "Playtime")
    #expect(observer.state.data?.title == "Playtime")
  }

  @Test("an undo that removes an entry without subscribers fetches nothing, and the answer is dropped")
  func removedWithoutSubscribers() async {
    let travel = Travel(unrecorded: .undoneWithEntry)
    travel.dispatch(Count())
    travel.world.store.prefetch(FilmByID(id: 7))
    await travel.world.service.calls.count(atLeast: 1)
    travel.dispatch(HistoryAction.undo)
    await travel.world.answer("film 7", "Playtime")
    #expect(travel.world.cache.entries.isEmpty)
    #expect(travel.calls.count == 1)
  }

  @Test("an undo that restores an older result drops the answer of the running request")
  func olderResult() async {
    let travel = Travel(unrecorded: .undoneWithEntry)
    await travel.world.load(7, "Playtime")
    travel.dispatch(Count())
    travel.world.store.prefetch(FilmByID(id: 7), .always)
    await travel.world.service.calls.count(atLeast: 2)
    travel.dispatch(HistoryAction.undo)
    #expect(!travel.world.film(7).isFetching)
    await travel.world.answer("film 7", "Traffic")
    #expect(travel.title == "Playtime")
  }

  @Test("a redo that restores a request that has ended ends the request, and the result remains")
  func redoneRequest() async {
    let travel = Travel(unrecorded: .undoneWithEntry)
    let (observer, _) = travel.world.observe(7)
    await travel.world.answer("film 7", "Playtime")
    travel.dispatch(Count())
    observer.refetch()
    await travel.world.service.calls.count(atLeast: 2)
    travel.dispatch(HistoryAction.undo)
    await travel.world.answer("film 7", "Traffic")
    travel.dispatch(HistoryAction.redo)
    #expect(travel.count == 1)
    #expect(!observer.state.isFetching)
    #expect(observer.state.data?.title == "Playtime")
    #expect(travel.world.cache.pendingRequests == 0)
  }

  @Test("a jump to a request that has ended, while the next request is running, fetches the query again")
  func endedRequestDuringNext() async {
    let travel = Travel(records: .all)
    let (observer, _) = travel.world.observe(7)
    let position = travel.history.position
    await travel.world.answer("film 7", "Playtime")
    observer.refetch()
    await travel.world.service.calls.count(atLeast: 2)
    travel.dispatch(HistoryAction.jump(to: position))
    travel.world.service.answer("film 7", with: .success("dropped"))
    await travel.world.service.calls.count(atLeast: 3)
    await travel.world.answer("film 7", "Parade")
    #expect(observer.state.data?.title == "Parade")
  }

  @Test("an undo to an invalidated entry, while the next request is running, fetches the query again")
  func invalidatedDuringNext() async {
    let travel = Travel(records: .only(Count.self), unrecorded: .undoneWithEntry)
    let (observer, _) = travel.world.observe(7)
    await travel.world.answer("film 7", "Playtime")
    // A mutation delays the refetch.
    travel.world.store.mutate(Change(name: "change"))
    travel.dispatch(InvalidateTags(.type("Film", id: 7)), Count())
    travel.world.service.answer("change")
    await travel.world.service.calls.count(atLeast: 3)
    travel.dispatch(HistoryAction.undo)
    travel.world.service.answer("film 7", with: .success("dropped"))
    await travel.world.service.calls.count(atLeast: 4)
    await travel.world.answer("film 7", "Parade")
    #expect(observer.state.data?.title == "Parade")
    #expect(!observer.state.isInvalidated)
  }

  @Test("an undo of the actions of a mutation ends the mutation in the cache, and its answer changes nothing")
  func removedMutation() async {
    let travel = Travel(unrecorded: .undoneWithEntry)
    await travel.world.load(7, "Playtime")
    travel.dispatch(Count())
    travel.world.store.mutate(Rename(id: 7, title: "Traffic"))
    travel.dispatch(HistoryAction.undo)
    #expect(travel.title == "Playtime")
    travel.world.service.answer("rename 7 to Traffic", with: .success("Traffic"))
    while !travel.world.actions.values.contains(where: { $0.hasPrefix("PerformMutation.Fulfilled") }) {
      await Task.yield()
    }
    #expect(travel.title == "Playtime")
    #expect(travel.world.cache.pendingRequests == 0)
  }

  @Test("a redo of the actions of a mutation that has ended does not show its edit")
  func redoneMutation() async {
    let travel = Travel(unrecorded: .undoneWithEntry)
    await travel.world.load(7, "Playtime")
    travel.dispatch(Count())
    travel.world.store.mutate(Rename(id: 7, title: "Traffic"))
    travel.dispatch(HistoryAction.undo)
    travel.world.service.answer("rename 7 to Traffic", with: .success("Traffic"))
    while !travel.world.actions.values.contains(where: { $0.hasPrefix("PerformMutation.Fulfilled") }) {
      await Task.yield()
    }
    travel.dispatch(HistoryAction.redo)
    #expect(travel.title == "Playtime")
    #expect(travel.world.cache.pendingRequests == 0)
  }

  // MARK: A history without the cache

  @Test("a history of a part does not change the cache")
  func part() async {
    let history = History<Int>(records: .only(Count.self))
    let world = World(outerPlugins: [lift(history.plugin, to: \.count)])
    world.store.dispatch(Count())
    let (observer, _) = world.observe(7)
    world.store.dispatch(HistoryAction.undo)
    #expect(world.store.state.count == 0)
    #expect(observer.state.isFetching)
    await world.answer("film 7", "Playtime")
    world.store.dispatch(HistoryAction.redo)
    #expect(world.store.state.count == 1)
    #expect(observer.state.data?.title == "Playtime")
    #expect(world.service.calls.values.count == 1)
  }

  @Test("a history that follows the plug-in of the cache restores the cache that preceded the undone action")
  func innerHistory() async {
    let history = History<AppState>(records: .only(Count.self))
    let world = World(innerPlugins: [history.plugin])
    world.store.dispatch(Count())
    await world.load(7, "Playtime")
    world.store.dispatch(HistoryAction.undo)
    #expect(world.store.state.count == 0)
    #expect(world.film(7).data == nil)
  }
}
