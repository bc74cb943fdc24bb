import Flux
import SampleTerminal
import SampleTerminalViews

/// The pane with all details of the selected film.
struct FilmDetail: TerminalView {
  struct Props: Equatable {
    let film: Film?
    let notes: String
    let isFocused: Bool
    @ActionBinding var scrolled: Int
    @ActionBinding var onBack: () -> Void
  }

  func map(state: BrowserState, binder: ActionBinder) -> Props? {
    let film = state.chosen
    let notes = [
      film.map { state.marks.wished.contains($0.id) } == true ? "♥ to see" : nil,
      film.map { state.marks.seen.contains($0.id) } == true ? "✓ seen" : nil,
    ]
    return Props(
      film: film, notes: notes.compactMap { $0 }.joined(separator: "  "),
      isFocused: state.panes.focus == .detail,
      scrolled: binder.bind(scroll(of: state)) { SetPane(\.scrolled, $0) },
      onBack: binder.bind(SetPane(\.focus, .list)))
  }

  /// Returns the number of lines above the visible lines, limited so that the text fills the
  /// pane.
  private func scroll(of state: BrowserState) -> Int {
    guard let size = BrowserLayout(state).layout.places[.detail]?.size else { return 0 }
    let lines = state.chosen.map { text(of: $0, notes: "", columns: size.columns - 3).count } ?? 0
    return max(0, min(state.panes.scrolled, lines - size.rows))
  }

  /// The maximum width of text that is easy to read.
  private static let widestText = 80

  /// Returns the lines of a film, with their styles.
  ///
  /// The marks have a separate line, so that a change of marks moves no other text.
  private func text(of film: Film, notes: String, columns: Int) -> [(String, Style)] {
    let columns = min(columns, FilmDetail.widestText)
    let facts = [
      "directed by \(film.director)", film.genres.joined(separator: ", "), "\(film.minutes) minutes",
    ]
    return "\(film.title) (\(film.year))".tame.wrapped(to: columns).map { ($0, .bold) }
      + facts.flatMap { $0.tame.wrapped(to: columns) }.map { ($0, []) }
      + [(notes, []), ("", [])]
      + film.synopsis.tame.wrapped(to: columns).map { ($0, []) }
  }

  func draw(_ props: Props, on screen: inout Screen) {
    for row in 0..<screen.size.rows {
      screen.write(props.isFocused ? "┃" : "│", row: row, props.isFocused ? .bold : .dim)
    }
    guard let film = props.film else { return }
    let lines = text(of: film, notes: props.notes, columns: screen.size.columns - 3)
    for (row, (line, style)) in lines.dropFirst(props.scrolled).prefix(screen.size.rows).enumerated() {
      screen.write(line, row: row, column: 2, style)
    }
    if lines.count > props.scrolled + screen.size.rows {
      screen.write("↓", row: screen.size.rows - 1, column: screen.size.columns - 1, .bold)
    }
  }

  func press(_ key: Key, with props: Props) -> Bool {
    guard props.isFocused else { return false }
    switch key {
    case .down, .character("j"): props.scrolled += 1
    case .up, .character("k"): props.scrolled = max(0, props.scrolled - 1)
    case .pageDown: props.scrolled += 5
    case .pageUp: props.scrolled = max(0, props.scrolled - 5)
    case .home, .character("g"): props.scrolled = 0
    case .end, .character("G"): props.scrolled = .max
    case .escape, .enter, .left, .character("h"): props.onBack()
    default: return false
    }
    return true
  }
}
