import SampleTerminal

// The text that the user reads while work is running.

/// Returns a line for each page that has been loaded.
func describeLoaded(from old: [Int: [Int]]?, to new: [Int: [Int]]) -> String {
  let old = old ?? [:]
  var films = Set(old.values.joined())
  return new.sorted { $0.key < $1.key }.filter { old[$0.key] == nil }.map { _, page in
    films.formUnion(page)
    return "  loaded \(page.count) films; \(films.count) of them so far"
  }
  .joined(separator: "\n")
}

/// Returns a line for each new attempt, with the previous error and the number of the attempt;
/// returns `nil` if there is no new attempt.
func describeTries(
  from old: [Int: [MovieServiceError?]]?, to new: [Int: [MovieServiceError?]]
) -> String? {
  let lines = new.sorted { $0.key < $1.key }.compactMap { number, tries -> String? in
    guard tries.count > 1, tries.count != old?[number]?.count else { return nil }
    let trouble = tries[tries.count - 2] ?? .timedOut(page: number)
    return "  \("\(trouble)".tame) Trying again, \(tries.count) of \(LoadPage.tries)"
  }
  return lines.isEmpty ? nil : lines.joined(separator: "\n")
}

/// Returns the text below all other text, which shows the current load or search.
func describePanel(of state: BrowserState) -> String {
  if let find = state.display.find { return describe(find, of: state) }
  return describeLoading(of: state.library) ?? ""
}

private func describeLoading(of library: BrowserState.Library) -> String? {
  guard let (number, tries) = library.loading.min(by: { $0.key < $1.key }) else { return nil }
  let of = library.total > 0 ? " of \(library.pageCount)" : ""
  let attempt = tries.count > 1 ? ", try \(tries.count) of \(LoadPage.tries)" : ""
  return "  loading page \(number)\(of)\(attempt) … "
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
  if let loading = describeLoading(of: state.library) { lines.append(loading) }
  if let trouble = find.trouble { lines.append("! \(trouble.tame)") }
  return lines.joined(separator: "\n")
}
