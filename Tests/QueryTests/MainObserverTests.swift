import FluxAsync
import FluxCore
import FluxQuery
import Observation
import TestSupport
import Testing

@MainActor
@Suite("Observers of queries on the main actor", .unlessItHangs)
struct MainObserverTests {
  /// A view that is not `Sendable`.
  private final class View {
    var titles: [String?] = []
    var observer: MainQueryObserver<FilmByID>?
  }

  private let world = World()
  private let view = View()

  private func observe(_ id: Int?, _ options: QueryOptions = QueryOptions()) -> MainQueryObserver<FilmByID> {
    let view = view
    return world.store.observe(
      id.map { FilmByID(id: $0) }, options,
      onMain: { film in
        view.titles.append(film.data?.title)
      })
  }

  /// Waits until the view has shown a title.
  private func until(_ title: String?) async {
    while view.titles.last != title { await Task.yield() }
  }

  @Test("the closure is called with the current state before the method returns, and the query is fetched")
  func firstCall() async {
    let observer = observe(7)
    #expect(view.titles.first == .some(nil))
    #expect(world.store.subscribers(of: FilmByID(id: 7)) == 1)
    world.service.answer("film 7", with: .success("Playtime"))
    await until("Playtime")
    #expect(observer.state.data?.title == "Playtime")
  }

  @Test("the first call of a later observer also shows the newest version")
  func laterObserver() async {
    await world.load(7, "Playtime")
    let first = observe(7)
    let states = Recorder<QueryState<Film>>()
    let second = world.store.observe(FilmByID(id: 8), onMain: { states.record($0) })
    #expect(states.values.map(\.isLoading) == [true])
    first.cancel()
    second.cancel()
  }

  @Test("an observer of a part is called with the part, and again only if the part has changed")
  func part() async {
    let view = view
    let observer = world.store.observe(
      FilmByID(id: 7), of: { $0.data?.title }, onMain: { view.titles.append($0) })
    #expect(view.titles == [nil])
    await world.answer("film 7", "Playtime")
    await until("Playtime")
    observer.refetch()
    await world.answer("film 7", "Playtime")
    await world.load(7, "Traffic")
    await until("Traffic")
    #expect(view.titles == [nil, "Playtime", "Traffic"])
  }

  @Test("another query keeps the last data until it has a result")
  func changedQuery() async {
    await world.load(7, "Playtime")
    let observer = observe(7)
    await until("Playtime")
    observer.query = FilmByID(id: 8)
    #expect(observer.query == FilmByID(id: 8))
    #expect(observer.state.data?.title == "Playtime")
    #expect(observer.state.currentData == nil)
    #expect(world.store.subscribers(of: FilmByID(id: 7)) == 0)
    world.service.answer("film 8", with: .success("Traffic"))
    await until("Traffic")
  }

  @Test("an observer without a query keeps the last data, and subscribes to nothing")
  func noQuery() async {
    await world.load(7, "Playtime")
    let observer = observe(7)
    observer.query = nil
    #expect(observer.state.data?.title == "Playtime")
    #expect(world.store.subscribers(of: FilmByID(id: 7)) == 0)
    #expect(observer.query == nil)
  }

  @Test("an equal query changes nothing")
  func equalQuery() async {
    await world.load(7, "Playtime")
    let observer = observe(7)
    let calls = view.titles.count
    observer.query = FilmByID(id: 7)
    #expect(view.titles.count == calls)
  }

  @Test("a refetch shows the new result")
  func refetch() async {
    await world.load(7, "Playtime")
    let observer = observe(7)
    observer.refetch()
    world.service.answer("film 7", with: .success("Traffic"))
    await until("Traffic")
  }

  @Test("refresh returns when the request has ended")
  func refresh() async {
    await world.load(7, "Playtime")
    let observer = observe(7)
    // A method that returned earlier would do so before the request ends in most rounds.
    for round in 1...50 {
      world.service.answer("film 7", with: .success("Traffic \(round)"))
      await observer.refresh()
      #expect(world.film(7).data?.title == "Traffic \(round)")
      #expect(!world.film(7).isFetching)
    }
  }

  @Test("an observer fetches the next and the previous page")
  func pages() async {
    let query = Catalog(from: 2)
    await world.load(.ifNeeded, of: query, ("page 2", "c d"))
    let observer = world.store.observe(query, onMain: { _ in })
    observer.fetchPreviousPage()
    #expect(world.catalog(query).isFetchingPreviousPage)
    await world.answer("page 1", "a b")
    #expect(world.words(query) == "a b | c d")
    observer.fetchNextPage()
    #expect(world.catalog(query).isFetchingNextPage)
    await world.answer("page 3", "e")
    #expect(world.words(query) == "a b | c d | e")
  }

  @Test("other options with the same condition do not apply the condition again")
  func sameCondition() async {
    let observer = observe(7, QueryOptions(condition: .always))
    world.service.answer("film 7", with: .success("Playtime"))
    await until("Playtime")
    observer.options.pollingInterval = .seconds(5)
    #expect(!observer.state.isFetching)
    #expect(world.cache.pendingRequests == 0)
  }

  @Test("the closure is not called after a cancellation, and is released")
  func cancelled() async {
    await world.load(7, "Playtime")
    let lifetime = LifetimeTracker()
    let observer = world.store.observe(
      FilmByID(id: 7),
      onMain: { [object = lifetime.make(), view] film in
        view.titles.append(film.data?.title)
        object.touch()
      })
    observer.cancel()
    #expect(lifetime.alive == 0)
    observer.query = FilmByID(id: 8)
    observer.refetch()
    #expect(world.store.subscribers(of: FilmByID(id: 7)) == 0)
    #expect(world.cache.pendingRequests == 0)
    #expect(view.titles == ["Playtime"])
  }

  @Test("the closure can change the query of the observer in its first call")
  func changedInFirstCall() async {
    await world.load(7, "Playtime")
    await world.load(8, "Traffic")
    let view = view
    view.observer = world.store.observe(
      nil,
      onMain: { film in
        view.titles.append(film.data?.title)
        if view.titles.last == "Playtime" { view.observer?.query = FilmByID(id: 8) }
      })
    view.observer?.query = FilmByID(id: 7)
    #expect(view.titles == [nil, "Playtime", "Traffic"])
    #expect(world.store.subscribers(of: FilmByID(id: 7)) == 0)
    #expect(world.store.subscribers(of: FilmByID(id: 8)) == 1)
    view.observer = nil
  }

  @Test("the release of the observer ends the subscription")
  func released() async {
    await world.load(7, "Playtime")
    view.observer = observe(7)
    #expect(world.store.subscribers(of: FilmByID(id: 7)) == 1)
    view.observer = nil
    #expect(world.store.subscribers(of: FilmByID(id: 7)) == 0)
  }

  @Test("a change notifies the Observation framework before the closure receives it")
  func tracked() async {
    await world.load(7, "Playtime")
    let observer = observe(7)
    let changes = Recorder<String>()
    withObservationTracking {
      _ = observer.state
    } onChange: {
      changes.record("changed")
    }
    world.store.write(Film(id: 7, title: "Traffic"), to: FilmByID(id: 7))
    await until("Traffic")
    #expect(changes.values == ["changed"])
  }

  @Test("a failed attempt notifies the Observation framework")
  func trackedAttempt() async {
    let query = Custom("words", .every.retrying(.times(1, backoff: .constant(.seconds(1)))))
    let observer = world.store.observe(query, onMain: { _ in })
    let changes = Recorder<String>()
    withObservationTracking {
      _ = observer.state
    } onChange: {
      changes.record("changed")
    }
    world.service.fail("words")
    while observer.state.failedAttempts == 0 { await Task.yield() }
    #expect(changes.values == ["changed"])
  }

  @Test("in a store without a cache, the closure receives a failure")
  func noCache() {
    let store = Store(reducer: appReducer, state: AppState())
    var errors: [QueryFailure?] = []
    let observer = store.observe(FilmByID(id: 7), onMain: { errors.append($0.error) })
    #expect(errors == [QueryFailure(.noCache)])
    observer.cancel()
  }
}
