import Flux
import SampleTerminalViews

/// The pane with the films, one of which is selected, and with the status of their loads.
struct FilmList: TerminalView {
  struct Props: Equatable {
    /// The visible films.
    let rows: [Row]
    let count: Int
    let isFocused: Bool
    /// A Boolean value that indicates whether the user types a search text, so that letters do
    /// not move in the list.
    let isSearching: Bool
    let status: Status
    let size: ScreenSize
    @ActionBinding var place: ListPlace
    @ActionBinding var onRead: () -> Void
    @ActionBinding var onRetry: () -> Void
  }

  struct Row: Equatable {
    let film: Film
    let isWished: Bool
    let isSeen: Bool
  }

  /// Returns the number of visible films if no error is shown.
  static func rows(in size: ScreenSize) -> Int { max(1, size.rows - 1) }

  func map(state: BrowserState, binder: ActionBinder) -> Props? {
    guard let size = BrowserLayout(state).layout.places[.list]?.size else { return nil }
    let listed = state.listed
    let status = Status(of: state, count: listed.count)
    let rows = max(1, size.rows - status.lines(columns: size.columns).count)
    let place = state.panes.place.fitted(rows: rows, of: listed.count)
    return Props(
      rows: listed.dropFirst(place.top).prefix(rows).map { Row($0, of: state) },
      count: listed.count,
      isFocused: state.panes.focus == .list,
      isSearching: state.panes.focus == .search,
      status: status,
      size: size,
      place: binder.bind(place) { $0 == place ? nil : SetPane(\.place, $0) },
      onRead: binder.bind(SetPane(\.focus, .detail)),
      onRetry: binder.bind { status.retry(in: state) })
  }

  // MARK: - Drawing

  func draw(_ props: Props, on screen: inout Screen) {
    for (row, film) in props.rows.enumerated() {
      draw(film, isChosen: props.place.top + row == props.place.cursor, of: props, row: row, on: &screen)
    }
    let lines = props.status.lines(columns: screen.size.columns)
    for (line, text) in lines.enumerated() {
      let style: Style = props.status.isTrouble ? .bold : .dim
      screen.write(text, row: screen.size.rows - lines.count + line, style)
    }
  }

  private func draw(_ row: Row, isChosen: Bool, of props: Props, row line: Int, on screen: inout Screen) {
    let number = "\(row.film.id)"
    let space = String(repeating: " ", count: max(0, 4 - number.count))
    let marks = (row.isWished ? "♥" : " ") + (row.isSeen ? "✓" : " ")
    let year = " (\(row.film.year))"
    screen.write((isChosen ? "›" : " ") + space + number + " " + marks + " ", row: line)
    let column = 9
    let end = screen.write(
      row.film.title, row: line, column: column,
      columns: max(1, screen.size.columns - column - year.columns - 1))
    screen.write(year, row: line, column: end)
    if isChosen { screen.restyle(row: line, props.isFocused || props.isSearching ? .reversed : .bold) }
  }

  // MARK: - Keys

  func press(_ key: Key, with props: Props) -> Bool {
    guard props.isFocused || props.isSearching else { return false }
    if let step = ListPlace.Step(key, letters: !props.isSearching) {
      let rows = max(1, props.size.rows - props.status.lines(columns: props.size.columns).count)
      props.place = props.place.moved(step, rows: rows, of: props.count)
      return true
    }
    switch key {
    case .enter, .right, .character("l"):
      guard props.isFocused, props.count > 0 else { return false }
      props.onRead()
    case .character("r") where props.isFocused && props.status.isTrouble: props.onRetry()
    default: return false
    }
    return true
  }
}

extension FilmList.Row {
  fileprivate init(_ film: Film, of state: BrowserState) {
    self.init(
      film: film, isWished: state.marks.wished.contains(film.id), isSeen: state.marks.seen.contains(film.id))
  }
}

extension ListPlace.Step {
  /// Creates the list movement for a key.
  fileprivate init?(_ key: Key, letters: Bool) {
    switch key {
    case .up: self = .up
    case .down: self = .down
    case .pageUp: self = .pageUp
    case .pageDown: self = .pageDown
    case .home: self = .first
    case .end: self = .last
    case .character("k") where letters: self = .up
    case .character("j") where letters: self = .down
    case .character("g") where letters: self = .first
    case .character("G") where letters: self = .last
    default: return nil
    }
  }
}
