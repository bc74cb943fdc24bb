import FluxTesting
import TestSupport
import Testing

@testable import MoviesApp

@Suite("The service of the sample", .unlessItHangs) struct BundledMovieServiceTests {
  private let service = BundledMovieService(clock: ManualClock(), latency: .zero)

  @Test("the app contains 40 films with different ids")
  func films() async throws {
    let page = try await service.films(matching: FilmFilter(), limit: 100, offset: 0)
    #expect(page.total == 40)
    #expect(Set(page.films.map(\.id)).count == 40)
  }

  @Test("a page contains the films after its offset, and the number of all films")
  func page() async throws {
    let page = try await service.films(matching: FilmFilter(), limit: 2, offset: 3)
    #expect(page.films.map(\.id) == [4, 5])
    #expect(page.total == 40)
  }

  @Test("a filter accepts films under 90 minutes, and films before 1930")
  func filter() async throws {
    let short = try await service.films(matching: FilmFilter(requiresShort: true), limit: 100, offset: 0)
    #expect(short.films.allSatisfy { $0.minutes < 90 })
    let both = FilmFilter(requiresShort: true, requiresEarly: true)
    let early = try await service.films(matching: both, limit: 100, offset: 0)
    #expect(early.films.map(\.year).max() == 1929)
    #expect(early.total < short.total)
  }

  @Test("a search ignores case and accents, and finds titles and directors")
  func search() async throws {
    #expect(try await service.films(about: "HAXAN").map(\.id) == [7])
    #expect(try await service.films(about: "melies").map(\.id) == [1])
  }

  @Test("a film that does not exist throws an error that names it")
  func missing() async {
    await #expect(throws: MovieServiceError(description: "There is no film 999.")) {
      try await service.film(999)
    }
  }

  @Test("an answer arrives after the latency, as the clock measures it")
  func latency() async throws {
    let clock = ManualClock()
    let service = BundledMovieService(clock: clock, latency: .milliseconds(400))
    async let film = service.film(7)
    while clock.sleepers == 0 { await Task.yield() }
    #expect(clock.now.offset == .zero)
    clock.advance(by: .milliseconds(400))
    #expect(try await film.title == "Häxan")
  }
}
