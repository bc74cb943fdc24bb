import Flux
import SampleTerminalViews

/// The field for the search text.
struct SearchLine: TerminalView {
  struct Props: Equatable {
    let focus: BrowserState.Panes.Focus
    /// A Boolean value that indicates whether a search is open.
    let isFinding: Bool
    @ActionBinding var text: String
    @ActionBinding var onOpen: () -> Void
    @ActionBinding var onDone: () -> Void
    @ActionBinding var onEnd: () -> Void
  }

  func map(state: BrowserState, binder: ActionBinder) -> Props? {
    let find = state.display.find
    return Props(
      focus: state.panes.focus,
      isFinding: find != nil,
      text: binder.bind(find?.text ?? "") { FindTyped(text: $0) + FindFilms() },
      onOpen: binder.bind(
        find == nil
          ? CompositeAction(SetPane(\.focus, .search), Find())
          : CompositeAction(SetPane(\.focus, .search))),
      onDone: binder.bind(SetPane(\.focus, .list)),
      onEnd: binder.bind(
        SetPane(\.focus, .list) + CancelWork(of: FindFilms.self) + CancelWork(id: Visit.id) + FindEnded()))
  }

  func draw(_ props: Props, on screen: inout Screen) {
    let label = " Find: "
    let rule = String(repeating: "─", count: screen.size.columns)
    screen.write(rule, row: 1, .dim)
    guard props.isFinding else {
      screen.write(" / finds films by title, director, genre, year or story", row: 0, .dim)
      return
    }
    let isFocused = props.focus == .search
    screen.write(label, row: 0, isFocused ? .bold : [])
    // If the text is too long, its end is visible, followed by one empty cell for the cursor.
    let room = screen.size.columns - label.columns - 1
    var text = props.text[...]
    while text.columns > room { text.removeFirst() }
    let end = screen.write(String(text), row: 0, column: label.columns)
    if isFocused { screen.cursor = Position(row: 0, column: end) }
  }

  func press(_ key: Key, with props: Props) -> Bool {
    switch key {
    case .character("/") where props.focus != .search: props.onOpen()
    case .escape where props.isFinding && props.focus != .detail: props.onEnd()
    case _ where props.focus != .search: return false
    case .character(let character): props.text += String(character)
    case .backspace: props.text = String(props.text.dropLast())
    case .control("u"): props.text = ""
    case .control("w"): props.text = props.text.withoutLastWord
    case .enter, .tab: props.onDone()
    default: return false
    }
    return true
  }
}

extension String {
  fileprivate var withoutLastWord: String {
    let trimmed = reversed().drop(while: \.isWhitespace)
    return String(trimmed.drop { !$0.isWhitespace }.reversed())
  }
}
