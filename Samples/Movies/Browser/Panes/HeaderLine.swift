import Flux
import SampleTerminalViews

/// The line with the number of films and the numbers of marks.
struct HeaderLine: TerminalView {
  struct Props: Equatable {
    let total: Int
    let wished: Int
    let seen: Int
  }

  func map(state: BrowserState) -> Props? {
    Props(total: state.total, wished: state.marks.wished.count, seen: state.marks.seen.count)
  }

  func draw(_ props: Props, on screen: inout Screen) {
    let title = props.total == 0 ? " Movies" : " Movies · \(props.total)"
    let words = "♥ \(props.wished) to see · ✓ \(props.seen) seen "
    let signs = "♥ \(props.wished) ✓ \(props.seen) "
    let marks = title.columns + words.columns < screen.size.columns ? words : signs
    screen.write(title, row: 0)
    screen.write(marks, row: 0, column: max(title.columns + 1, screen.size.columns - marks.columns))
    screen.restyle(row: 0, .reversed)
  }
}
