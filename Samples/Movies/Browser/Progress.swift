import Flux
import SampleTerminal

// The text that the user reads while work is running.

/// Returns a line for each page that has been loaded.
func describeLoaded(from old: [FilmPage], to new: [FilmPage]) -> String {
  let known = Set(old.map(\.page))
  var films = Set(old.flatMap(\.films).map(\.id))
  return new.filter { !known.contains($0.page) }.map { page in
    films.formUnion(page.films.map(\.id))
    return "  loaded \(page.films.count) films; \(films.count) of them so far"
  }
  .joined(separator: "\n")
}

/// Returns a line with the error of the previous attempt and the number of the next attempt, or
/// `nil` if no request is being retried.
func describeRetry(of state: BrowserState) -> String? {
  guard let page = state.loadingPage, let trouble = state.queries[page].attemptError else { return nil }
  let attempt = state.queries[page].failedAttempts + 1
  return "  \(page.text(of: trouble).tame) Trying again, \(attempt) of \(FilmsOnPage.attempts)"
}

/// Returns the text below all other text, which shows the current load or search.
func describePanel(of state: BrowserState) -> String {
  if let find = state.display.find { return describe(find, of: state) }
  return describeLoading(of: state) ?? ""
}

private func describeLoading(of state: BrowserState) -> String? {
  guard let page = state.loadingPage else { return nil }
  return "  loading \(state.progress(of: page)) … "
}

extension BrowserState {
  /// Returns the number of a page that is being fetched, and the number of the attempt unless the
  /// attempt is the first.
  func progress(of page: FilmsOnPage) -> String {
    let failed = queries[page].failedAttempts
    return "page \(page.number)" + (total > 0 ? " of \(pageCount)" : "")
      + (failed > 0 ? ", try \(failed + 1) of \(FilmsOnPage.attempts)" : "")
  }
}

/// The number of films that are shown during a search.
private let shownFilms = 8

private func describe(_ find: BrowserState.Find, of state: BrowserState) -> String {
  let films = find.found.films
  var lines = ["find: \(find.text.tame)"]
  if !films.isEmpty { lines.append(describeFilms(Array(films.prefix(shownFilms)), of: state)) }
  switch films.count {
  case 0 where find.text.isEmpty: lines.append("  Type what to find. Enter shows it all, Esc leaves.")
  case 0 where find.found.text == find.text: lines.append("  nothing found")
  case 0...shownFilms: break
  default: lines.append("  and \(films.count - shownFilms) more; Enter shows them all")
  }
  if let loading = describeLoading(of: state) { lines.append(loading) }
  if let trouble = state.trouble { lines.append("! \(trouble.tame)") }
  return lines.joined(separator: "\n")
}
