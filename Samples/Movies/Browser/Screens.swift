import Flux
import SampleTerminal

// The text that the user reads: each function creates the text for a part of the state.

func describe(_ screen: BrowserState.Screen, of state: BrowserState) -> String {
  switch screen {
  case .welcome: "Type help to see all commands."
  case .place(let place): describe(place, of: state)
  case .foundInPart(let words, let trouble): describeFound(words, lacking: trouble, in: state)
  case .help: help
  case .trouble(let reason): "! \(reason.tame)"
  }
}

private func describe(_ place: Place, of state: BrowserState) -> String {
  switch place {
  case .page(let number): describePage(number, of: state)
  case .film(let id):
    state.film(id).map { describe($0, of: state.marks) } ?? "! \(FilmByID(id: id).missing)"
  case .found(let words): describeFound(words, in: state)
  case .marks: describeMarks(of: state)
  }
}

/// Returns a line that describes the marks that a command changed.
func describeChange(from old: BrowserState.Marks?, to new: BrowserState.Marks) -> String {
  let old = old ?? BrowserState.Marks()
  let steps = [
    (new.wished, old.wished, "is on the wish list"), (old.wished, new.wished, "is off the wish list"),
    (new.seen, old.seen, "is marked as seen"), (old.seen, new.seen, "is no longer marked as seen"),
  ]
  return steps.flatMap { films, others, what in
    films.filter { !others.contains($0) }.map { "  film \($0) \(what)" }
  }
  .joined(separator: "\n")
}

private func describePage(_ number: Int, of state: BrowserState) -> String {
  "Page \(number) of \(state.pageCount)\n"
    + lines(state.queries[FilmsOnPage(number: number)].data?.films ?? [], of: state)
}

/// Returns a line for each loaded film.
func describeFilms(_ ids: [Int], of state: BrowserState) -> String {
  lines(state.films(ids), of: state)
}

private func describe(_ film: Film, of marks: BrowserState.Marks) -> String {
  let notes = [marks.wished.contains(film.id) ? "wished" : nil, marks.seen.contains(film.id) ? "seen" : nil]
  let suffix = notes.compactMap { $0 }.map { ", \($0)" }.joined()
  return """
    \(film.title.tame) (\(film.year)), directed by \(film.director.tame)
      \(film.genres.joined(separator: ", ").tame); \(film.minutes) minutes\(suffix)
      \(film.synopsis.tame)
    """
}

private func describeFound(_ words: String, lacking trouble: String, in state: BrowserState) -> String {
  // If no films are loaded, the search had no films to examine.
  "! \(trouble.tame)" + (state.films.isEmpty ? "" : "\n" + describeFound(words, in: state))
}

private func describeFound(_ words: String, in state: BrowserState) -> String {
  let found = state.films(matching: words)
  let missing = state.total - state.films.count
  let scope = missing == 0 ? "" : " (of those loaded; \(missing) are not)"
  guard !found.isEmpty else { return "Nothing found for \(words.quoted)\(scope)." }
  return "Found \(found.count) for \(words.quoted)\(scope)\n" + lines(found, of: state)
}

private func describeMarks(of state: BrowserState) -> String {
  func list(_ name: String, _ ids: [Int]) -> String {
    guard !ids.isEmpty else { return "\(name): nothing yet" }
    let films = state.films(ids)
    let missing = ids.filter { state.film($0) == nil }.map(String.init).joined(separator: ", ")
    return
      ([name] + (films.isEmpty ? [] : [lines(films, of: state)])
      + (missing.isEmpty ? [] : ["      not loaded yet: \(missing)"])).joined(separator: "\n")
  }
  return list("To see", state.marks.wished) + "\n" + list("Seen", state.marks.seen)
}

private func lines(_ films: [Film], of state: BrowserState) -> String {
  films.map { film in
    let number = String(repeating: " ", count: max(0, 4 - "\(film.id)".count)) + "\(film.id)"
    let wish = state.marks.wished.contains(film.id) ? " [wished]" : ""
    let seen = state.marks.seen.contains(film.id) ? " [seen]" : ""
    return "\(number)  \(film.title.tame) (\(film.year))\(wish)\(seen)"
  }
  .joined(separator: "\n")
}

private let help = """
  list           show this page of films again
  next           load and show the next page
  back           return to the previous screen
  open N         show film N
  search WORDS   find films by title, director, genre, year, or story
  find           search while you type
  wish N         add film N to the wish list, or remove it
  seen N         mark film N as seen, or as not seen
  lists          show the films that you have marked
  undo           undo the last mark
  redo           redo the mark that was undone last
  quit           leave the program; an empty line stops loading
  """
