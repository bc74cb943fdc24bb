import Flux
import Foundation

/// Begins to find films as the user types, and loads what is missing meanwhile.
struct Find: AsyncRequest, CustomStringConvertible {
  let service: any MovieService

  var policy: WorkPolicy { .latest.shared(by: Visit.id) }

  func perform(in context: RequestContext<BrowserState>) async throws(MovieServiceError) {
    while let number = context.store.state?.library.missingPage {
      try await context.loadPage(number, from: service)
      context.dispatch(FindFilms())
    }
  }

  var description: String { "Find()" }
}

/// The user has typed.
struct FindTyped: Action {
  let text: String
}

/// Looks for what was typed, once no more has been typed for a moment.
struct FindFilms: TaskAction {
  var policy: WorkPolicy { .latest.debounced(for: .milliseconds(200)) }

  func execute(state: BrowserState, dispatch: @escaping DispatchFunction) async {
    guard let text = state.display.find?.text else { return }
    dispatch(FilmsFound(text: text, films: state.library.films(matching: text, bestFirst: true).map(\.id)))
  }
}

/// Films were found for what was typed.
struct FilmsFound: Action {
  let text: String
  let films: [Int]
}

/// The user has found enough.
struct FindEnded: Action {}

extension BrowserState.Library {
  /// The films that have every word somewhere; in the order of their numbers, unless the best are to come first.
  func films(matching words: String, bestFirst: Bool = false) -> [Film] {
    let wanted = words.folded.split(separator: " ").map(String.init)
    guard !wanted.isEmpty else { return [] }
    let found = films.values.filter { film in
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

  /// Lower is better: a title that begins like the first word, one with all words, anything else.
  fileprivate func rank(for words: [String]) -> Int {
    let title = title.folded
    if title.hasPrefix(words.first ?? "") { return 0 }
    return words.allSatisfy { title.contains($0) } ? 1 : 2
  }
}

extension String {
  /// The text without what a user may leave out in a search: capitals and accents.
  fileprivate var folded: String { folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil) }
}
