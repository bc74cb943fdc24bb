import Flux
import Foundation

/// Begins a search while the user types, and fetches the missing pages.
struct Find: AsyncRequest, CustomStringConvertible {
  var policy: WorkPolicy { .latest.shared(by: Visit.id) }

  func perform(in context: RequestContext<BrowserState>) async throws(QueryFailure) {
    while let page = context.store.state?.missingPage {
      _ = try await context.store.fetch(page)
      context.dispatch(FindFilms())
    }
  }

  var description: String { "Find()" }
}

/// Records the text that the user typed.
struct FindTyped: Action {
  let text: String
}

/// Searches for the typed text after a pause in typing.
struct FindFilms: TaskAction {
  var policy: WorkPolicy { .latest.debounced(for: .milliseconds(200)) }

  func execute(state: BrowserState, dispatch: @escaping DispatchFunction) async {
    guard let text = state.display.find?.text else { return }
    dispatch(FilmsFound(text: text, films: state.films(matching: text, bestFirst: true).map(\.id)))
  }
}

/// Records the results of a search.
struct FilmsFound: Action {
  let text: String
  let films: [Int]
}

/// Ends a search.
struct FindEnded: Action {}

extension BrowserState {
  /// Returns the films that contain every word, in the order of their numbers, or with the best
  /// results first.
  func films(matching words: String, bestFirst: Bool = false) -> [Film] {
    let wanted = words.folded.split(separator: " ").map(String.init)
    guard !wanted.isEmpty else { return [] }
    let found = films.filter { film in
      let text = film.searchText
      return wanted.allSatisfy { text.contains($0) }
    }
    guard bestFirst else { return found.sorted { $0.id < $1.id } }
    return found.map { ($0.rank(for: wanted), $0.id, $0) }.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
  }
}

extension Film {
  fileprivate var searchText: String {
    "\(title) \(director) \(genres.joined(separator: " ")) \(year) \(synopsis)".folded
  }

  /// Returns the rank of a film; lower is better.
  ///
  /// A title that begins with the first word ranks first, and a title with all words ranks
  /// second.
  fileprivate func rank(for words: [String]) -> Int {
    let title = title.folded
    if title.hasPrefix(words.first ?? "") { return 0 }
    return words.allSatisfy { title.contains($0) } ? 1 : 2
  }
}

extension String {
  /// The text without the differences that a search ignores: case and accents.
  fileprivate var folded: String { folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil) }
}
