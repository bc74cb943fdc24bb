import Flux
import SampleTerminalViews

/// The notice on a screen that is too small for other panes.
struct TooSmall: TerminalView {
  struct Props: Equatable {
    let size: ScreenSize
    @ActionBinding var onLeave: () -> Void
  }

  func map(state: BrowserState, binder: ActionBinder) -> Props? {
    Props(size: state.panes.size, onLeave: binder.bind(SetPane(\.isLeaving, true)))
  }

  func draw(_ props: Props, on screen: inout Screen) {
    let least = BrowserLayout.least
    let text = "Too small: \(least.columns) x \(least.rows) is needed. q quits"
    for (row, line) in text.wrapped(to: props.size.columns).enumerated() { screen.write(line, row: row) }
  }

  func press(_ key: Key, with props: Props) -> Bool {
    guard [.character("q"), .control("c"), .control("d")].contains(key) else { return false }
    props.onLeave()
    return true
  }
}
