import Foundation

/// A service that takes the films from a file of the app, with the latency of a network.
struct BundledMovieService: MovieService {
  var clock: any Clock<Duration> = ContinuousClock()
  var latency = Duration.milliseconds(400)

  func films(
    matching filter: FilmFilter, limit: Int, offset: Int
  ) async throws -> (films: [Film], total: Int) {
    let films = try await allFilms().filter(filter.accepts)
    return (Array(films.dropFirst(offset).prefix(limit)), films.count)
  }

  func film(_ id: Int) async throws -> Film {
    guard let film = try await allFilms().first(where: { $0.id == id }) else {
      throw MovieServiceError(description: "There is no film \(id).")
    }
    return film
  }

  func films(about words: String) async throws -> [Film] {
    try await allFilms().filter { $0.credit.contains(words: words) || $0.title.contains(words: words) }
  }

  private func allFilms() async throws -> [Film] {
    try await clock.sleep(for: latency)
    return try BundledMovieService.bundled.get()
  }

  private static let bundled = Result {
    guard let file = Bundle.ofApp.url(forResource: "films", withExtension: "json") else {
      throw MovieServiceError(description: "The app contains no films.")
    }
    return try JSONDecoder().decode([Film].self, from: Data(contentsOf: file))
  }
}

extension String {
  fileprivate func contains(words: String) -> Bool {
    range(of: words, options: [.caseInsensitive, .diacriticInsensitive]) != nil
  }
}

extension Bundle {
  /// The bundle with the resources, which is another one if an Xcode project contains the sources.
  fileprivate static var ofApp: Bundle {
    #if SWIFT_PACKAGE
      .module
    #else
      .main
    #endif
  }
}
