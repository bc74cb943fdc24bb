import Flux
import SampleTerminalViews

/// A list of all keys and their meanings.
struct HelpText: TerminalView {
  struct Props: Equatable {
    @ActionBinding var isHelpShown: Bool
  }

  func map(state: BrowserState, binder: ActionBinder) -> Props? {
    Props(isHelpShown: binder.bind(\.isHelpShown, of: state.panes))
  }

  private static let keys = [
    ("↑ ↓  j k", "move, or scroll"),
    ("PgUp PgDn", "move by a screen"),
    ("Home End", "first, last; also g G"),
    ("Enter Tab", "read a film, go back"),
    ("/", "find; Esc shows all"),
    ("w  Space", "wish for it, or not"),
    ("s", "seen, or not"),
    ("u  Ctrl-R", "undo, redo a mark"),
    ("r", "try to load again"),
    ("Esc Ctrl-C", "stop the loading"),
    ("q", "quit; marks are kept"),
  ]

  func draw(_ props: Props, on screen: inout Screen) {
    for (row, (key, meaning)) in HelpText.keys.enumerated() {
      screen.write(key, row: row, column: 1, .bold)
      screen.write(meaning, row: row, column: 13)
    }
  }

  func press(_ key: Key, with props: Props) -> Bool {
    guard props.isHelpShown, key != .control("c") else { return false }
    props.isHelpShown = false
    return true
  }
}
