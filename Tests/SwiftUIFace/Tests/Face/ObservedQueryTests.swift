import FluxCore
import FluxQuery
import FluxUI
import SwiftUI
import TestSupport
import Testing

@MainActor
@Suite("Views that show a query", .unlessItHangs) struct ObservedQueryTests {
  private let cinema = Cinema()
  private var bodies: Bodies { cinema.bodies }

  /// Shows a view, which a parent view creates again with each press of `next`.
  private func show(@ViewBuilder _ view: @escaping (Int) -> some View) -> Screen {
    Screen { Parent(Bodies(), content: view).provideStore(cinema.store) }
  }

  private func showFilm(_ id: Int) -> Screen {
    Screen { FilmView(id, bodies: bodies).provideStore(cinema.store) }
  }

  // MARK: - Showing

  @Test("a view shows the request before the request begins, and then the result")
  func firstRequest() async {
    let screen = showFilm(7)
    #expect(cinema.actions.values == [], "no action is dispatched while views are updated")
    #expect(cinema.subscribers(of: 7) == 0)
    await cinema.settle(screen)
    #expect(cinema.actions.values == ["FilmByID(id: 7), subscribers: [1, 0]"])
    #expect(bodies.values == ["…"])
    cinema.service.answer("film 7", with: .success("Playtime"))
    await cinema.until("Playtime", on: screen)
    #expect(bodies.values == ["…", "Playtime"])
  }

  @Test("the first body shows a result that the cache contains, which is not fetched")
  func cached() async {
    cinema.write(7, "Playtime")
    let screen = showFilm(7)
    #expect(bodies.values == ["Playtime"])
    await cinema.settle(screen)
    #expect(bodies.values == ["Playtime"])
    #expect(cinema.subscribers(of: 7) == 1)
    #expect(cinema.actions.values == [])
  }

  @Test("a body runs again if the state of its query changes, and not if another part of the state changes")
  func bodiesThatRun() async {
    cinema.write(7, "Playtime")
    let screen = showFilm(7)
    await cinema.settle(screen)
    bodies.takeAll()
    ActionDispatcher(cinema.store)(Increment())
    cinema.write(8, "Traffic")
    await cinema.settle(screen)
    #expect(bodies.values == [])
    cinema.write(7, "Playtime")
    await cinema.settle(screen)
    #expect(bodies.values == [], "the result is equal")
    cinema.write(7, "Mon oncle")
    await cinema.settle(screen)
    #expect(bodies.values == ["Mon oncle"])
  }

  @Test("the body of a view that shows a part runs again only if the part has changed")
  func part() async {
    cinema.write(7, "Playtime")
    let screen = Screen { FilmTitleView(7, bodies: bodies).provideStore(cinema.store) }
    await cinema.settle(screen)
    bodies.takeAll()
    cinema.store.prefetch(FilmByID(id: 7), .always)
    await cinema.settle(screen)
    #expect(bodies.values == [], "only the state of the request has changed")
    cinema.service.answer("film 7", with: .success("Mon oncle"))
    await cinema.until("Mon oncle", on: screen)
    #expect(bodies.values == ["Mon oncle"])
  }

  @Test("a change between the first body and the subscription is shown")
  func changedBeforeSubscription() async {
    cinema.write(7, "Playtime")
    let screen = showFilm(7)
    cinema.write(7, "Mon oncle")
    await cinema.settle(screen)
    #expect(bodies.values == ["Playtime", "Mon oncle"])
  }

  @Test("views that show the same query share one request, and each view counts as one subscriber")
  func shared() async {
    let screen = Screen {
      VStack {
        FilmView(7, bodies: bodies)
        FilmView(7, bodies: bodies)
      }
      .provideStore(cinema.store)
    }
    await cinema.settle(screen)
    #expect(cinema.subscribers(of: 7) == 2)
    #expect(cinema.actions.count == 1)
  }

  @Test("a failure is shown, and a refetch that a button starts shows its result")
  func failure() async {
    let screen = showFilm(7)
    cinema.service.fail("film 7")
    await cinema.until("trouble", on: screen)
    screen.press("reload")
    cinema.service.answer("film 7", with: .success("Playtime"))
    await cinema.until("Playtime", on: screen)
  }

  // MARK: - Changing the query

  @Test("an equal query changes nothing when a parent creates the view again")
  func equalQuery() async {
    cinema.write(7, "Playtime")
    struct Numbered: View {
      let number: Int
      @ObservedQuery(FilmByID(id: 7), QueryOptions(condition: .always)) private var film

      var body: some View { Text("\(number) \(FilmView.text(film))") }
    }
    let screen = show { number in
      FilmView(7, bodies: bodies)
      Numbered(number: number)
    }
    cinema.service.answer("film 7", with: .success("Traffic"))
    await cinema.until("1 Traffic", on: screen)
    bodies.takeAll()
    screen.press("next")
    await cinema.settle(screen)
    #expect(screen.text.last == "2 Traffic")
    #expect(bodies.values == [])
    #expect(cinema.subscribers(of: 7) == 2)
    #expect(cinema.actions.count == 1)
  }

  @Test("another query keeps the previous data until it has a result")
  func otherQuery() async {
    cinema.write(7, "Playtime")
    let screen = show { number in FilmView(6 + number, bodies: bodies) }
    await cinema.settle(screen)
    screen.press("next")
    #expect(cinema.actions.values == [], "no action is dispatched while views are updated")
    cinema.service.answer("film 8", with: .success("Traffic"))
    await cinema.until("Traffic", on: screen)
    #expect(bodies.values == ["Playtime", "Playtime old +", "Traffic"])
  }

  @Test("a view subscribes to another query before it unsubscribes from the previous query")
  func noGap() async {
    cinema.write(7, "Playtime")
    let screen = show { number in FilmView(6 + number, bodies: bodies) }
    await cinema.settle(screen)
    screen.press("next")
    #expect(cinema.subscribers(of: 7) == 1)
    await cinema.settle(screen)
    #expect(cinema.actions.values == ["FilmByID(id: 8), subscribers: [1, 1]"])
    #expect([7, 8].map(cinema.subscribers) == [0, 1])
  }

  @Test("a view whose query changes twice before it subscribes skips the first query")
  func skipped() async {
    cinema.write(7, "Playtime")
    cinema.write(9, "Traffic")
    let screen = show { number in FilmView(6 + number, bodies: bodies) }
    await cinema.settle(screen)
    screen.press("next")
    screen.press("next")
    await cinema.settle(screen)
    #expect(bodies.values == ["Playtime", "Playtime old +", "Traffic"])
    #expect(cinema.actions.values == [])
    #expect([7, 9].map(cinema.subscribers) == [0, 1])
  }

  @Test("a view without a query keeps the data, and subscribes to nothing")
  func paused() async {
    cinema.write(7, "Playtime")
    let screen = show { number in FilmView(number == 2 ? nil : 7, bodies: bodies) }
    await cinema.settle(screen)
    screen.press("next")
    await cinema.settle(screen)
    #expect(screen.text.contains("Playtime old"))
    #expect(cinema.subscribers(of: 7) == 0)
    screen.press("next")
    await cinema.settle(screen)
    #expect(cinema.subscribers(of: 7) == 1)
    #expect(bodies.values == ["Playtime", "Playtime old", "Playtime"])
  }

  @Test("a view whose body does not read the property subscribes to the query, and changes it")
  func unread() async {
    struct Silent: View {
      @ObservedQuery var film: QueryState<Film>

      var body: some View { Text("silent") }
    }
    let screen = show { number in Silent(film: ObservedQuery(number == 1 ? FilmByID(id: 7) : nil)) }
    await cinema.settle(screen)
    #expect(cinema.subscribers(of: 7) == 1)
    screen.press("next")
    await cinema.settle(screen)
    #expect(cinema.subscribers(of: 7) == 0)
  }

  // MARK: - The end of a view

  @Test("the subscription of a view that was removed ends after the update")
  func removed() async {
    let screen = show { number in
      if number == 1 { FilmView(0, bodies: bodies) }
    }
    cinema.service.answer("film 0", with: .success("Playtime"))
    await cinema.until("Playtime", on: screen)
    cinema.actions.takeAll()
    screen.press("next")
    #expect(cinema.actions.values == [], "no action is dispatched while views are updated")
    await cinema.settle(screen)
    #expect(cinema.actions.count == 1)
    #expect(cinema.store.state.queries.entries.isEmpty)
  }

  @Test("a view that was removed before it subscribed never subscribes")
  func removedEarly() async {
    let screen = showFilm(7)
    screen.close()
    await cinema.settle(screen)
    #expect(cinema.subscribers(of: 7) == 0)
    #expect(cinema.actions.values == [])
  }

  @Test("a view with another identity has its own subscription, and no previous data")
  func otherIdentity() async {
    cinema.write(7, "Playtime")
    let screen = show { number in
      if number == 1 {
        FilmView(7, bodies: bodies)
      } else {
        FilmView(8, bodies: bodies)
      }
    }
    await cinema.settle(screen)
    screen.press("next")
    await cinema.settle(screen)
    #expect(bodies.values == ["Playtime", "…"])
    #expect([7, 8].map(cinema.subscribers) == [0, 1])
  }
}
