import FluxAsync
import FluxCore
import FluxQuery
import FluxTesting
import TestSupport
import Testing

@Suite("Observers of queries: options and pages", .unlessItHangs)
struct ObserverOptionsTests {
  private let world = World()

  private func polling(_ interval: Duration) -> QueryOptions { QueryOptions(pollingInterval: interval) }

  @Test("another polling interval replaces the previous interval, and neither fetches nor calls the closure")
  func pollingInterval() async {
    let (observer, states) = world.observe(7, polling(.seconds(60)))
    await world.answer("film 7", "Playtime")
    _ = states.takeAll()
    observer.options = polling(.seconds(5))
    #expect(observer.options == polling(.seconds(5)))
    #expect(states.count == 0)
    #expect(world.cache.pendingRequests == 0)
    #expect(world.store.subscribers(of: FilmByID(id: 7)) == 1)
    world.clock.advance(by: .seconds(5))
    await world.service.calls.count(atLeast: 2)
    await world.answer("film 7", "Traffic")
    #expect(observer.state.data?.title == "Traffic")
  }

  @Test("an observer whose options are replaced pauses polling in the background if the new options say so")
  func pausesInBackground() async {
    let (observer, _) = world.observe(7, polling(.seconds(10)))
    await world.answer("film 7", "Playtime")
    observer.options.pausesPollingInBackground = true
    #expect(world.store.subscribers(of: FilmByID(id: 7)) == 1)
    world.store.dispatch(AppActivity.unfocused)
    world.clock.advance(by: .seconds(100))
    // Another request gives a poll time to begin.
    world.store.prefetch(FilmByID(id: 8))
    await world.service.calls.count(atLeast: 2)
    #expect(!observer.state.isFetching)
    observer.options.pausesPollingInBackground = false
    await world.service.calls.count(atLeast: 3)
    #expect(world.service.calls.values == ["film 7", "film 8", "film 7"])
  }

  @Test("neither other options nor equal options dispatch an action")
  func actions() async {
    let (observer, states) = world.observe(7)
    await world.answer("film 7", "Playtime")
    _ = (states.takeAll(), world.actions.takeAll())
    for _ in 1...2 { observer.options = polling(.seconds(5)) }
    #expect(world.actions.count == 0)
    #expect(states.count == 0)
    #expect(world.store.subscribers(of: FilmByID(id: 7)) == 1)
  }

  @Test("another condition fetches the query if the condition is met")
  func condition() async {
    await world.load(7, "Playtime")
    let (observer, states) = world.observe(7)
    _ = states.takeAll()
    observer.options.condition = .ifOlder(than: .seconds(60))
    #expect(states.count == 0)
    observer.options.condition = .always
    #expect(states.values.map(\.isFetching) == [true])
    await world.answer("film 7", "Traffic")
    #expect(observer.state.data?.title == "Traffic")
    #expect(states.count == 2)
  }

  @Test("other options with the same condition do not apply the condition again")
  func sameCondition() async {
    let (observer, states) = world.observe(7, QueryOptions(condition: .always))
    await world.answer("film 7", "Playtime")
    _ = states.takeAll()
    observer.options.pollingInterval = .seconds(5)
    #expect(states.count == 0)
    #expect(world.cache.pendingRequests == 0)
  }

  @Test("equal options change nothing")
  func equalOptions() async {
    let (observer, states) = world.observe(7, QueryOptions(condition: .always))
    await world.answer("film 7", "Playtime")
    _ = states.takeAll()
    observer.options = QueryOptions(condition: .always)
    #expect(states.count == 0)
    #expect(world.cache.pendingRequests == 0)
  }

  @Test("an observer without a query keeps its options for the next query")
  func laterQuery() async {
    await world.load(8, "Traffic")
    let (observer, states) = world.observe(7)
    await world.answer("film 7", "Playtime")
    observer.query = nil
    _ = states.takeAll()
    observer.options = QueryOptions(condition: .always)
    #expect(states.count == 0)
    #expect(world.cache.pendingRequests == 0)
    observer.query = FilmByID(id: 8)
    #expect(states.values.map(\.isFetching) == [true])
  }

  @Test("the options of an observer on the main actor are replaced in the same way")
  @MainActor func onMainActor() async {
    var shown: [Bool] = []
    let observer = world.store.observe(
      FilmByID(id: 7), polling(.seconds(60)), onMain: { shown.append($0.isFetching) })
    world.service.answer("film 7", with: .success("Playtime"))
    while observer.state.data == nil { await Task.yield() }
    shown = []
    observer.options = polling(.seconds(5))
    #expect(observer.options == polling(.seconds(5)))
    #expect(shown.isEmpty)
    #expect(world.store.subscribers(of: FilmByID(id: 7)) == 1)
    observer.options = QueryOptions(condition: .always)
    #expect(shown == [true])
    world.service.answer("film 7", with: .success("Traffic"))
    while observer.state.data?.title != "Traffic" { await Task.yield() }
    #expect(shown == [true, false])
  }

  @Test("other options during a request neither repeat the request nor lose its result")
  func duringRequest() async {
    let (observer, states) = world.observe(7)
    observer.options = polling(.seconds(5))
    #expect(states.count == 1)
    await world.answer("film 7", "Playtime")
    #expect(observer.state.data?.title == "Playtime")
    #expect(world.service.calls.values == ["film 7"])
  }

  @Test("other options keep an entry that is removed without subscribers")
  func shortLifetime() async {
    let query = Custom("words", keptFor: .zero)
    let observer = world.store.observe(query) { _ in }
    await world.answer("words", "new")
    observer.options = polling(.seconds(5))
    #expect(world.cache[query].data == "new")
    #expect(world.store.subscribers(of: query) == 1)
  }

  @Test("a closure that changes the options is called once for each change")
  func insideClosure() async {
    let made = Shared<QueryObserver<FilmByID>?>(nil)
    let titles = Recorder<String?>()
    let options = polling(.seconds(5))
    let observer = world.store.observe(FilmByID(id: 7)) { state in
      titles.record(state.data?.title)
      made.value?.options = options
    }
    made.value = observer
    await world.answer("film 7", "Playtime")
    #expect(titles.values == [nil, "Playtime"])
    #expect(observer.options == options)
    #expect(world.store.subscribers(of: FilmByID(id: 7)) == 1)
    made.value = nil
  }

  @Test("an observer fetches the next and the previous page")
  func pages() async {
    let query = Catalog(from: 2)
    let observer = world.store.observe(query) { _ in }
    await world.answer("page 2", "c d")
    observer.fetchPreviousPage()
    #expect(observer.state.isFetchingPreviousPage)
    await world.answer("page 1", "a b")
    observer.fetchNextPage()
    #expect(observer.state.isFetchingNextPage)
    await world.answer("page 3", "e")
    #expect(world.words(query) == "a b | c d | e")
    // Both ends are reached.
    observer.fetchPreviousPage()
    observer.fetchNextPage()
    #expect(world.cache.pendingRequests == 0)
  }

  @Test("refresh returns when the request has ended")
  func refresh() async {
    let (observer, _) = world.observe(7)
    await world.answer("film 7", "Playtime")
    // A method that returned earlier would do so before the request ends in most rounds.
    for round in 1...50 {
      world.service.answer("film 7", with: .success("Traffic \(round)"))
      await observer.refresh()
      #expect(observer.state.data?.title == "Traffic \(round)")
      #expect(!observer.state.isFetching)
    }
  }

  @Test("after cancel, an observer fetches nothing")
  func cancelled() async {
    let (observer, _) = world.observe(7)
    await world.answer("film 7", "Playtime")
    observer.cancel()
    observer.refetch()
    #expect(world.cache.pendingRequests == 0)
    await observer.refresh()
    observer.options = QueryOptions(condition: .always)
    #expect(world.cache.pendingRequests == 0)
    #expect(world.store.subscribers(of: FilmByID(id: 7)) == 0)
  }
}
