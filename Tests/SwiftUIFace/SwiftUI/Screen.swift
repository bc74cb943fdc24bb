public import Foundation

/// What the user sees of a view, or can do with it.
enum Element {
  case text(String)
  case button(@MainActor () -> Void)
  case field(String, Binding<String>)
  case toggle(String, Binding<Bool>)
  case edits(((IndexSet, Int) -> Void)?, ((IndexSet) -> Void)?)
  case appearance((() -> Void)?, (() -> Void)?)
}

/// Shows a view, as a run loop does: runs the bodies that have to run, and tells what has appeared and disappeared.
///
/// ```swift
/// let screen = Screen { TodoList().provideStore(store) }
/// screen.press("Add")
/// #expect(screen.text == ["1 to do"])
/// ```
@MainActor
public final class Screen {
  private let environment = EnvironmentValues()
  private var root: Node?
  /// Whoever has appeared, and not disappeared.
  private var shown: [Node] = []
  var isUpdating = false
  /// Whether there are bodies that have to run.
  public internal(set) var isWaiting = false

  /// Shows a view.
  public init(@ViewBuilder _ view: () -> some View) {
    let view = view()
    isUpdating = true
    root = Node(view, in: environment, on: self)
    isUpdating = false
    tellAppearances()
    update()
  }

  /// Runs the bodies that have to run, until there is none.
  public func update() {
    while isWaiting {
      isWaiting = false
      isUpdating = true
      root?.update(to: nil, in: environment)
      isUpdating = false
      tellAppearances()
    }
  }

  /// Takes the view away.
  public func close() {
    root = nil
    tellAppearances()
  }

  private func tellAppearances() {
    let visible = nodes.filter { if case .appearance = $0.element { $0.isVisible } else { false } }
    let gone = shown.filter { node in !visible.contains { $0 === node } }
    let come = visible.filter { node in !shown.contains { $0 === node } }
    shown = visible
    for case .appearance(_, let action?) in gone.map(\.element) { action() }
    for case .appearance(let action?, _) in come.map(\.element) { action() }
  }

  private var nodes: [Node] { root?.all ?? [] }

  // MARK: - What the user sees and does

  /// The lines that are to be seen: texts, and fields with their titles.
  public var text: [String] { root?.text ?? [] }

  /// Presses a button, if there is one with this text.
  public func press(_ title: String) {
    for node in nodes where node.text == [title] {
      if case .button(let action) = node.element { action() }
    }
    update()
  }

  /// Types into a field, letter by letter; returns what the field then reads, after each.
  @discardableResult
  public func type(_ letters: String, into title: String) -> [String] {
    letters.map { letter in
      for case .field(title, let text) in nodes.map(\.element) { text.wrappedValue.append(letter) }
      let read = text.first { $0.hasPrefix("\(title): ") }
      update()
      return read ?? "there is no field \(title)"
    }
  }

  /// Switches what has this title.
  public func toggle(_ title: String) {
    for case .toggle(title, let isOn) in nodes.map(\.element) { isOn.wrappedValue = !isOn.wrappedValue }
    update()
  }

  /// Moves rows of all lists that can be changed.
  public func move(from rows: IndexSet, to row: Int) {
    for case .edits(let move?, _) in nodes.map(\.element) { move(rows, row) }
    update()
  }

  /// Deletes rows of all lists that can be changed.
  public func delete(_ rows: IndexSet) {
    for case .edits(_, let delete?) in nodes.map(\.element) { delete(rows) }
    update()
  }
}
