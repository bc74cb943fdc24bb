import FluxCore
import FluxQuery
import FluxTesting
import FluxUI
import SwiftUI
import TestSupport
import Testing

@MainActor
@Suite("The stores, the options, and the pages of views that show a query", .unlessItHangs)
struct ObservedQueryStoreTests {
  private let cinema = Cinema()
  private var bodies: Bodies { cinema.bodies }

  private func expect(
    _ result: ExitTest.Result?, says part: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(said.contains(part), "said: \(said)", sourceLocation: sourceLocation)
  }

  // MARK: - Stores

  @Test("a view uses the innermost provided store that has a cache of queries")
  func innermost() async {
    let outer = Cinema()
    outer.write(7, "Outer")
    cinema.write(7, "Inner")
    let screen = Screen {
      FilmView(7, bodies: bodies)
        .provideStore(Cinema(hasCache: false).store)
        .provideStore(cinema.store.proxy(for: \.count))
        .provideStore(outer.store)
    }
    await cinema.settle(screen)
    #expect(bodies.values == ["Inner"])
    #expect([cinema, outer].map { $0.subscribers(of: 7) } == [1, 0])
  }

  @Test("another provided store is shown without the data of the previous store")
  func otherStore() async {
    let other = Cinema()
    cinema.write(7, "Playtime")
    let screen = Screen {
      Parent(Bodies()) { number in
        FilmView(7, bodies: bodies).provideStore(number == 1 ? cinema.store : other.store)
      }
    }
    await cinema.settle(screen)
    screen.press("next")
    await cinema.settle(screen)
    #expect(bodies.values == ["Playtime", "…"])
    #expect([cinema, other].map { $0.subscribers(of: 7) } == [0, 1])
  }

  @Test("another proxy of the same store keeps the data of the previous query")
  func otherProxy() async {
    cinema.write(7, "Playtime")
    let counts = (1...2).map { _ in cinema.store.proxy(for: \.count) }
    let screen = Screen {
      Parent(Bodies()) { FilmView(6 + $0, bodies: bodies).provideStore(counts[$0 - 1]) }
    }
    await cinema.settle(screen)
    screen.press("next")
    await cinema.settle(screen)
    #expect(bodies.values == ["Playtime", "Playtime old +"])
    #expect([7, 8].map(cinema.subscribers) == [0, 1])
  }

  @Test("a view keeps its state after the store is released")
  func released() async {
    var store: Store<CinemaState>? = Cinema().store
    store?.write(Film(id: 7, title: "Playtime"), to: FilmByID(id: 7))
    let stores = store.map { ProvidedStores().providing($0.proxy) }
    let screen = Screen {
      Parent(Bodies()) { number in
        Text("\(number)")
        FilmView(7, bodies: bodies).provideStore(stores ?? ProvidedStores())
      }
    }
    await cinema.settle(screen)
    store = nil
    screen.press("next")
    screen.press("reload")
    await cinema.settle(screen)
    #expect(screen.text == ["next", "2", "Playtime", "reload"])
  }

  @Test("a view to which no store with a cache is provided stops the program")
  func noCache() async {
    let unprovided = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run { _ = Screen { FilmView(7, bodies: Bodies()) } }
    }
    expect(
      unprovided,
      says: "a view shows a query, but none of the provided stores, whose states have the types []")
    let withoutCache = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run {
        let store = Cinema(hasCache: false).store
        _ = Screen { FilmView(nil, bodies: Bodies()).provideStore(store) }
      }
    }
    expect(
      withoutCache, says: "the types [CinemaState], has a cache of queries. Add the plug-in of a QuerySlice")
  }

  // MARK: - Options

  @Test("other options replace the previous options, and do not cause a request if the condition is equal")
  func options() async {
    cinema.write(7, "Playtime")
    let screen = Screen {
      Parent(Bodies()) { number in
        FilmView(
          7, QueryOptions(condition: .always, pollingInterval: number == 1 ? nil : .seconds(5)),
          bodies: bodies)
      }
      .provideStore(cinema.store)
    }
    cinema.service.answer("film 7", with: .success("Traffic"))
    await cinema.until("Traffic", on: screen)
    cinema.actions.takeAll()
    screen.press("next")
    await cinema.settle(screen)
    #expect(cinema.actions.values == [])
    #expect(cinema.subscribers(of: 7) == 1)
    cinema.clock.advance(by: .seconds(5))
    cinema.service.answer("film 7", with: .success("Mon oncle"))
    await cinema.until("Mon oncle", on: screen)
    #expect(cinema.actions.values == ["FilmByID(id: 7) always, subscribers: [1, 0]"])
  }

  @Test("another condition that is met causes a request")
  func otherCondition() async {
    cinema.write(7, "Playtime")
    let screen = Screen {
      Parent(Bodies()) { number in
        FilmView(7, QueryOptions(condition: number == 1 ? .ifNeeded : .always), bodies: bodies)
      }
      .provideStore(cinema.store)
    }
    await cinema.settle(screen)
    screen.press("next")
    await cinema.settle(screen)
    #expect(cinema.actions.values == ["FilmByID(id: 7) always, subscribers: [2, 0]"])
    #expect(cinema.subscribers(of: 7) == 1)
    #expect(bodies.values == ["Playtime", "Playtime +"])
  }

  // MARK: - Fetching

  private struct WordsView: View {
    @ObservedQuery(Words()) private var words

    var body: some View {
      Text(words.data.map { $0.joined(separator: " ") } ?? "…")
      Button("next") { $words.fetchNextPage() }
      Button("previous") { $words.fetchPreviousPage() }
    }
  }

  @Test("a view fetches the pages of an infinite query at both sides")
  func pages() async {
    let screen = Screen { WordsView().provideStore(cinema.store) }
    for (button, page, shown) in [(nil, 2, "b"), ("next", 3, "b c"), ("previous", 1, "a b c")] {
      if let button { screen.press(button) }
      cinema.service.answer("page \(page)", with: .success(["", "a", "b", "c"][page]))
      await cinema.until(shown, on: screen)
    }
  }

  @Test("a refresh returns after the request has ended")
  func refresh() async {
    struct Refreshing: View {
      let films: Recorder<ObservedQuery<Film>.Fetcher>
      @ObservedQuery(FilmByID(id: 7)) private var film

      var body: some View {
        let _ = films.record($film)
        Text(FilmView.text(film))
      }
    }
    cinema.write(7, "Playtime")
    let films = Recorder<ObservedQuery<Film>.Fetcher>()
    let screen = Screen { Refreshing(films: films).provideStore(cinema.store) }
    await cinema.settle(screen)
    let end = Recorder<String?>()
    let refresh = Task {
      await films.values.last?.refresh()
      end.record(cinema.store.state.queries[FilmByID(id: 7)].data?.title)
    }
    await cinema.service.calls.count(atLeast: 1)
    for _ in 1...100 { await Task.yield() }
    #expect(end.values == [])
    cinema.service.answer("film 7", with: .success("Traffic"))
    await refresh.value
    #expect(end.values == ["Traffic"])
    await cinema.until("Traffic", on: screen)
    #expect(Set(films.values.map { $0 == films.values[0] }) == [true])
  }

  @Test("a value that fetches a query has no effect after its view was removed")
  func fetchingAfterRemoval() async {
    struct Leaking: View {
      let films: Recorder<ObservedQuery<Film>.Fetcher>
      @ObservedQuery(FilmByID(id: 7)) private var film

      var body: some View {
        let _ = films.record($film)
        Text(FilmView.text(film))
      }
    }
    cinema.write(7, "Playtime")
    let films = Recorder<ObservedQuery<Film>.Fetcher>()
    let screen = Screen { Leaking(films: films).provideStore(cinema.store) }
    await cinema.settle(screen)
    screen.close()
    await cinema.settle(screen)
    #expect(cinema.subscribers(of: 7) == 0)
    films.values.last?.refetch()
    #expect(cinema.actions.values == [])
  }
}
