import FluxAsync
import FluxCore
import FluxQuery
import FluxTesting
import TestSupport
import Testing

@Suite("Queries: numbers of subscribers", .unlessItHangs)
struct SubscriberCountTests {
  private let world = World()

  /// The numbers of subscribers of films 7 and 8.
  private var counts: [Int] { [7, 8].map { world.store.subscribers(of: FilmByID(id: $0)) } }

  @Test("an observer whose query has changed no longer subscribes to the previous query")
  func changed() {
    let (observer, _) = world.observe(7)
    #expect(counts == [1, 0])
    observer.query = FilmByID(id: 8)
    #expect(counts == [0, 1])
    observer.cancel()
    #expect(counts == [0, 0])
  }

  @Test("an observer that is paused and resumed with another query has one subscription, and none at its end")
  func resumed() {
    let (observer, _) = world.observe(7)
    observer.query = nil
    #expect(counts == [0, 0])
    observer.query = FilmByID(id: 8)
    #expect(counts == [0, 1])
    observer.query = FilmByID(id: 8)
    #expect(counts == [0, 1])
    observer.cancel()
    #expect(counts == [0, 0])
  }

  @Test("an observer that follows a prefetch shares its result, and is the only subscriber until it ends")
  func afterPrefetch() async {
    world.store.prefetch(FilmByID(id: 7))
    #expect(counts == [0, 0])
    let (observer, _) = world.observe(7)
    #expect(counts == [1, 0])
    await world.answer("film 7", "Playtime")
    #expect(observer.state.data?.title == "Playtime")
    #expect(world.service.calls.values == ["film 7"])
    observer.cancel()
    #expect(counts == [0, 0])
  }

  @Test("a thousand observers of a query cause only the actions of one request")
  func thousand() async {
    let observers = (1...1_000).map { _ in world.observe(7).0 }
    #expect(counts == [1_000, 0])
    await world.answer("film 7", "Playtime")
    #expect(observers.allSatisfy { $0.state.data?.title == "Playtime" })
    #expect(
      world.actions.values == [
        "FilmByID(id: 7)", "FetchQuery.Pending(#1 FilmByID(id: 7))",
        "FetchQuery.Fulfilled(#1 FilmByID(id: 7): Film(id: 7, title: \"Playtime\"))",
      ])
  }

  @Test("an observer whose query changes during its requests leaves only the entry of its last query")
  func quickChanges() async {
    let queries = ["a", "b", "c"].map { Custom($0, keptFor: .zero) }
    let observer = world.store.observe(nil as Custom?) { _ in }
    for (index, query) in queries.enumerated() {
      observer.query = query
      await world.service.calls.count(atLeast: index + 1)
    }
    await world.service.cancelled.count(atLeast: 2)
    #expect(world.service.cancelled.values == ["a", "b"])
    #expect(world.cache.entries.map(\.id) == [QueryKey(queries[2])])
    await world.answer("c", "last")
    #expect(observer.state.currentData == "last")
  }
}
