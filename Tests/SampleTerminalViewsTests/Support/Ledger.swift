import Flux
import SampleTerminalViews
import Synchronization

/// A state with two numbers, and with the visible views.
struct Ledger: FluxState {
  var left = 0
  var right = 0
  var size = ScreenSize(columns: 10, rows: 1)
  var seen: Set<Side> = [.left, .right]

  enum Side: Hashable, Sendable {
    case left, right
  }
}

/// One of the two numbers; its key adds to it.
struct NumberView: TerminalView {
  struct Props: Equatable {
    @ActionBinding var number: Int
  }

  let field: any WritableKeyPath<Ledger, Int> & Sendable
  let key: Key
  var cursor = false

  func map(state: Ledger, binder: ActionBinder) -> Props? {
    // A negative number is not shown.
    state[keyPath: field] < 0 ? nil : Props(number: binder.bind(field, of: state))
  }

  func draw(_ props: Props, on screen: inout Screen) {
    let end = screen.write("\(props.number)", row: 0)
    if cursor { screen.cursor = Position(row: 0, column: end) }
  }

  func press(_ key: Key, with props: Props) -> Bool {
    guard key == self.key else { return false }
    props.number += 1
    return true
  }
}

/// The two numbers next to each other.
struct SideBySide: ConnectableMapping {
  func map(state: Ledger) -> Layout<Ledger.Side>? {
    var layout = Layout<Ledger.Side>(state.size)
    var rest = Rectangle(state.size)
    let left = rest.takeLeft(state.size.columns / 2)
    if state.seen.contains(.left) { layout.places[.left] = left }
    if state.seen.contains(.right) { layout.places[.right] = rest }
    return layout
  }
}

/// The two numbers on a screen.
@MainActor
final class LedgerScreen {
  let store = Store(reducer: BindingAction<Ledger>.reducer, state: Ledger())
  let renderer: Renderer<Ledger.Side>
  private let sent: Sent
  private let woken = Woken()

  private final class Sent {
    var texts: [String] = []
  }

  private final class Woken: Sendable {
    let count = Atomic(0)
  }

  init() {
    let sent = Sent()
    self.sent = sent
    let wake: @Sendable () -> Void = { [woken] in woken.count.add(1, ordering: .relaxed) }
    renderer = Renderer(
      SideBySide(), of: store,
      panes: [
        (.left, Pane(NumberView(field: \.left, key: .character("+")), of: store, wake: wake)),
        (.right, Pane(NumberView(field: \.right, key: .character("+"), cursor: true), of: store, wake: wake)),
      ],
      write: { sent.texts.append($0) }, wake: wake)
  }

  /// The number of requested drawings.
  var wakes: Int { woken.count.load(ordering: .relaxed) }

  /// The output since the last call.
  func sentTexts() -> [String] {
    defer { sent.texts = [] }
    return sent.texts
  }

  func set<Value: Equatable & Sendable>(
    _ field: any WritableKeyPath<Ledger, Value> & Sendable, _ value: Value
  ) {
    ActionDispatcher(store)(BindingAction(field, value))
  }
}
