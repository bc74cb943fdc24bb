public import Foundation

/// The visible content of a view, or its operation.
enum Element {
  case text(String)
  case label(String)
  case button(@MainActor () -> Void)
  case field(String, Binding<String>)
  case toggle(String, Binding<Bool>)
  case edits(((IndexSet, Int) -> Void)?, ((IndexSet) -> Void)?)
  case appearance((() -> Void)?, (() -> Void)?)
  case destination((AnyHashable) -> (any View)?)
  case modal(@MainActor () -> Void)
  case alert(String, Binding<Bool>)
  case tab(String, AnyHashable)
  case opener((URL) -> Void)
  case refresher(@Sendable () async -> Void)
}

/// A screen that shows a view as a run loop does.
///
/// The screen runs the bodies that have to run, and calls the closures of views that appeared or
/// disappeared.
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
  /// The nodes that have appeared and have not disappeared.
  private var shown: [Node] = []
  var isUpdating = false
  /// Whether bodies have to run.
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

  /// Runs the bodies that have to run, until there is none; stops the program if they never
  /// settle.
  public func update() {
    var rounds = 0
    while isWaiting {
      rounds += 1
      guard rounds < 100 else { fatalError("The views do not come to rest. There is: \(text)") }
      isWaiting = false
      isUpdating = true
      root?.update(to: nil, in: environment)
      isUpdating = false
      tellAppearances()
    }
  }

  /// Removes the view.
  public func close() {
    root = nil
    tellAppearances()
  }

  private func tellAppearances() {
    let visible = uncovered.filter { if case .appearance = $0.element { $0.isVisible } else { false } }
    let gone = shown.filter { node in !visible.contains { $0 === node } }
    let come = visible.filter { node in !shown.contains { $0 === node } }
    shown = visible
    for case .appearance(_, let action?) in gone.map(\.element) { action() }
    for case .appearance(let action?, _) in come.map(\.element) { action() }
  }

  /// The nodes that are not covered in their stack of views.
  private var uncovered: [Node] { root?.shown ?? [] }

  /// The nodes that the user can operate, which are in the highest modal if there is one.
  private var nodes: [Node] {
    let modal = uncovered.last { if case .modal = $0.element { true } else { false } }
    return modal?.shown ?? uncovered
  }

  // MARK: - Reading and operating the screen

  /// The visible lines: strings, and fields with their titles.
  public var text: [String] { root?.text ?? [] }

  /// Presses the button with a given title, which is the first line of the label.
  public func press(_ title: String) {
    act(on: "button \(title)") { node in
      guard case .button(let action) = node.element, node.text.first == title, node.isEnabled else {
        return nil
      }
      // A button of an alert also closes the alert.
      let alert = nodes.lazy.compactMap { node -> Binding<Bool>? in
        if case .alert(_, let isPresented) = node.element { isPresented } else { nil }
      }.first
      return {
        action()
        alert?.wrappedValue = false
      }
    }
  }

  /// Returns whether the user can press a button with a given title.
  public func canPress(_ title: String) -> Bool {
    nodes.contains { node in
      if case .button = node.element { node.text.first == title && node.isEnabled } else { false }
    }
  }

  /// Opens an address, as another program does.
  public func open(_ address: String) {
    guard let url = URL(string: address) else { fatalError("\(address) is not an address") }
    let openers = root?.all.compactMap { node in
      if case .opener(let open) = node.element { open } else { nil }
    }
    for open in openers ?? [] { open(url) }
    update()
  }

  /// Refreshes the visible views, and returns when they are refreshed.
  public func refresh() async {
    for case .refresher(let refresh) in nodes.compactMap(\.element) { await refresh() }
    update()
  }

  /// Types into a field, letter by letter; returns the value of the field after each letter.
  @discardableResult
  public func type(_ letters: String, into title: String) -> [String] {
    letters.map { letter in
      var read = ""
      act(on: "field \(title)") { node in
        guard case .field(title, let text) = node.element else { return nil }
        return {
          text.wrappedValue.append(letter)
          read = text.wrappedValue
        }
      }
      return read
    }
  }

  /// Removes the text of a field.
  public func clear(_ title: String) {
    act(on: "field \(title)") { node in
      guard case .field(title, let text) = node.element else { return nil }
      return { text.wrappedValue = "" }
    }
  }

  /// Switches the control with a title.
  public func toggle(_ title: String) {
    act(on: "toggle \(title)") { node in
      guard case .toggle(title, let isOn) = node.element else { return nil }
      return { isOn.wrappedValue.toggle() }
    }
  }

  /// Presses the back button of the visible stack of views.
  public func goBack() {
    act(on: "stack of views") { node in
      guard let stack = node.view as? any PathShowing, node.children.count > 1 else { return nil }
      return { stack.goBack() }
    }
  }

  /// Closes the highest modal view, as by a swipe.
  public func closeModal() {
    act(on: "modal view") { node in
      guard case .modal(let close) = node.element else { return nil }
      return { close() }
    }
  }

  /// Selects the tab with a given title.
  public func select(tab title: String) {
    act(on: "tab \(title)") { node in
      guard case .tab(title, _) = node.element else { return nil }
      return { node.selectTab() }
    }
  }

  /// Moves rows of the lists whose rows can be changed.
  public func move(from rows: IndexSet, to row: Int) {
    act(on: "list whose rows move") { node in
      guard case .edits(let move?, _) = node.element else { return nil }
      return { move(rows, row) }
    }
  }

  /// Deletes rows of the lists whose rows can be changed.
  public func delete(_ rows: IndexSet) {
    act(on: "list whose rows can be deleted") { node in
      guard case .edits(_, let delete?) = node.element else { return nil }
      return { delete(rows) }
    }
  }

  /// Performs a user's operation on all controls of a type, and shows the result.
  ///
  /// Stops the program if there is no such control, because the test is wrong.
  private func act(on kind: String, _ find: (Node) -> (() -> Void)?) {
    let actions = nodes.compactMap(find)
    guard !actions.isEmpty else { fatalError("There is no \(kind). There is: \(text)") }
    for action in actions { action() }
    update()
  }
}
