import Flux
import SampleTerminal
import SampleTerminalViews

/// The line that shows the available keys or a notice, and that also handles the keys that have
/// the same meaning in every pane.
struct KeyLine: TerminalView {
  struct Props: Equatable {
    let focus: BrowserState.Panes.Focus
    let notice: String?
    let isLoading: Bool
    let isFound: Bool
    @ActionBinding var isHelpShown: Bool
    @ActionBinding var onWish: () -> Void
    @ActionBinding var onSeen: () -> Void
    @ActionBinding var onUndo: () -> Void
    @ActionBinding var onRedo: () -> Void
    @ActionBinding var onOtherPane: () -> Void
    @ActionBinding var onStop: () -> Void
    @ActionBinding var onLeave: () -> Void
  }

  /// Returns the action of a command, which shows a message if the command has no effect.
  let command: @Sendable (Command) -> any Action

  /// Returns the number of rows for the notice, or for the keys.
  static func rows(of panes: BrowserState.Panes) -> Int {
    panes.notice.map { max(1, min(3, lines(of: $0, columns: panes.size.columns).count)) } ?? 1
  }

  private static func lines(of notice: String, columns: Int) -> [String] {
    notice.tame.wrapped(to: columns - 2)
  }

  func map(state: BrowserState, binder: ActionBinder) -> Props? {
    let chosen = state.chosen?.id
    let focus = state.panes.focus
    return Props(
      focus: focus,
      notice: state.panes.notice,
      isLoading: state.loadingPage != nil,
      isFound: state.display.find != nil,
      isHelpShown: binder.bind(\.isHelpShown, of: state.panes),
      onWish: binder.bind { chosen.map(ToggleWish.init) },
      onSeen: binder.bind { chosen.map(ToggleSeen.init) },
      onUndo: binder.bind { command(.undo) },
      onRedo: binder.bind { command(.redo) },
      onOtherPane: binder.bind(SetPane(\.focus, focus == .list ? .detail : .list)),
      onStop: binder.bind(Visit.stop + SetPane(\.isStopped, true)),
      onLeave: binder.bind(SetPane(\.isLeaving, true)))
  }

  // MARK: - Drawing

  func draw(_ props: Props, on screen: inout Screen) {
    if let notice = props.notice {
      let lines = KeyLine.lines(of: notice, columns: screen.size.columns)
      for (row, line) in lines.prefix(screen.size.rows).enumerated() {
        screen.write(" " + line, row: row)
        screen.restyle(row: row, [.bold, .reversed])
      }
      return
    }
    var column = 1
    for (key, meaning) in fitting(keys(of: props), into: screen.size.columns - 2) {
      column = screen.write(key, row: 0, column: column, .bold)
      column = screen.write(" \(meaning)", row: 0, column: column, .dim) + 2
    }
  }

  /// Returns the keys that have a meaning, with the most important key first.
  private func keys(of props: Props) -> [(key: String, meaning: String)] {
    if props.isHelpShown { return [("any key", "goes back")] }
    switch props.focus {
    case .search: return [("Enter", "to the list"), ("Esc", "clears"), ("↑↓", "move"), ("^U", "empties")]
    case .list, .detail:
      let isList = props.focus == .list
      return [("?", "help"), ("q", "quit"), ("↑↓", isList ? "move" : "scroll")]
        + [isList ? ("Enter", "read") : ("Esc", "back")]
        + (isList && props.isFound ? [("Esc", "shows all")] : [])
        + (props.isLoading ? [(isList && !props.isFound ? "Esc" : "^C", "stops")] : [])
        + [("/", "find"), ("w", "wish"), ("s", "seen"), ("u", "undo"), ("^R", "redo")]
    }
  }

  /// Returns the first keys that fit into the columns.
  private func fitting(
    _ keys: [(key: String, meaning: String)], into columns: Int
  ) -> [(key: String, meaning: String)] {
    var room = columns
    return Array(
      keys.prefix { key, meaning in
        defer { room -= 2 }
        room -= key.columns + 1 + meaning.columns
        return room >= 0
      })
  }

  // MARK: - Keys

  func press(_ key: Key, with props: Props) -> Bool {
    switch key {
    case .control("c") where props.isLoading: props.onStop()
    case .control("c"), .control("d"): props.onLeave()
    case _ where props.focus == .search: return false
    case .escape where props.isLoading: props.onStop()
    case .character("q"): props.onLeave()
    case .character("?"): props.isHelpShown = true
    case .character("w"), .character(" "): props.onWish()
    case .character("s"): props.onSeen()
    case .character("u"): props.onUndo()
    case .control("r"): props.onRedo()
    case .tab, .backTab: props.onOtherPane()
    default: return false
    }
    return true
  }
}
