import FluxAsync
import FluxCore
import FluxQuery
import FluxTesting
import TestSupport
import Testing

@Suite("Queries: two stores with caches", .unlessItHangs)
struct TwoStoresTests {
  private let first = World()
  private let second = World()

  @Test("each store has its own requests and subscribers")
  func requests() async {
    let observers = [first.observe(7).0, first.observe(8).0, second.observe(7).0]
    #expect([first, second].map(\.cache.pendingRequests) == [2, 1])
    #expect([first, second].map { $0.store.subscribers(of: FilmByID(id: 7)) } == [1, 1])
    #expect([first, second].map { $0.store.subscribers(of: FilmByID(id: 8)) } == [1, 0])
    await second.answer("film 7", "Traffic")
    #expect(first.film(7).isLoading && first.film(8).isLoading)
    first.service.answer("film 8")
    await first.answer("film 7", "Playtime")
    #expect(first.service.calls.values.sorted() == ["film 7", "film 8"])
    #expect(second.service.calls.values == ["film 7"])
    withExtendedLifetime(observers) {}
  }

  @Test("an observer receives the results of the store on which it was created")
  func observers() async {
    let observers = [first.observe(7).0, second.observe(7).0]
    await first.answer("film 7", "Playtime")
    #expect(observers.map(\.state.data?.title) == ["Playtime", nil])
    await second.answer("film 7", "Traffic")
    #expect(observers.map(\.state.data?.title) == ["Playtime", "Traffic"])
  }
}
