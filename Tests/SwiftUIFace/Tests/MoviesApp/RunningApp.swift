import Flux
import FluxTesting
import SwiftUI
import TestSupport

@testable import MoviesApp

/// The app on a screen, with a service whose answers a test determines, and with a stopped clock.
@MainActor
final class RunningApp {
  let service = Service()
  let clock = ManualClock()
  let store: Store<AppState>
  let screen: Screen

  init() {
    let store = makeStore(service: AnsweredMovieService(service: service), clock: clock)
    self.store = store
    screen = Screen { RootView().provideStore(store) }
  }

  /// Creates the app and loads the first page of films.
  static func withFilms() async -> RunningApp {
    let app = RunningApp()
    app.service.answer("list from 0")
    await app.until("The Kid")
    return app
  }

  /// Waits until the screen shows a line.
  func until(_ line: String) async {
    await until { $0.contains(line) }
  }

  /// Waits until the lines of the screen satisfy a condition.
  func until(_ condition: ([String]) -> Bool) async {
    while !condition(screen.text) {
      await Task.yield()
      screen.update()
    }
  }

  /// Pauses in typing, so that the app begins a search.
  func pause() async {
    clock.advance(by: .milliseconds(300))
    while store.state.search.words != store.state.search.text { await Task.yield() }
    screen.update()
  }

  /// Waits until a number of pieces of work wait for the clock.
  func untilWaiting(_ count: Int) async {
    while clock.sleepers < count { await Task.yield() }
  }

  /// Waits until the service has received a call.
  func untilCalled(_ name: String) async {
    while !service.calls.values.contains(name) {
      await Task.yield()
      screen.update()
    }
  }
}

/// A service that returns the films of the app when a test answers its calls, such as
/// `list from 12`, `film 7`, and `search kid`.
private struct AnsweredMovieService: MovieService {
  let service: Service
  private let films = BundledMovieService(clock: ManualClock(), latency: .zero)

  init(service: Service) {
    self.service = service
  }

  func films(
    matching filter: FilmFilter, limit: Int, offset: Int
  ) async throws -> (films: [Film], total: Int) {
    _ = try await service.call("list from \(offset)")
    return try await films.films(matching: filter, limit: limit, offset: offset)
  }

  func film(_ id: Int) async throws -> Film {
    _ = try await service.call("film \(id)")
    return try await films.film(id)
  }

  func films(about words: String) async throws -> [Film] {
    _ = try await service.call("search \(words)")
    return try await films.films(about: words)
  }
}
