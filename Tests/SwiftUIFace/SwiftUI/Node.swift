import Combine
import Observation

/// The content of a view without a body.
@MainActor
protocol BuiltIn {
  /// The views within, each with a key that distinguishes it from its neighbors.
  var parts: [Part] { get }

  /// The visible content of the view, or its operation.
  var element: Element? { get }

  /// Changes the environment for the views within.
  func change(_ environment: inout EnvironmentValues)
}

extension BuiltIn {
  var parts: [Part] { [] }
  var element: Element? { nil }

  func change(_ environment: inout EnvironmentValues) {}
}

/// A view whose last parts depend on the views within its first parts.
@MainActor
protocol PathShowing {
  /// Returns the parts that follow the first parts, and cover them.
  func destinations(of nodes: [Node]) -> [Part]

  /// Removes the last of these parts, as the user does with the back button.
  func goBack()
}

/// A view within another view.
struct Part {
  let key: AnyHashable
  let view: any View

  init(_ view: any View, key: some Hashable = 0) {
    self.key = AnyHashable(key)
    self.view = view
  }
}

/// A position on the screen, and its view, identified by the position in the enclosing view and by
/// the view's type.
///
/// The body of the view runs again only in three cases: when the view differs from the previous
/// one, when a part of the environment that it reads differs, and when a state or an observed
/// object that its body has read has changed.
@MainActor
final class Node {
  private(set) var view: any View
  private(set) var children: [(key: AnyHashable, node: Node)] = []
  /// The number of the last children that cover the first ones.
  private var destinationCount = 0
  private unowned let screen: Screen
  private var environment: EnvironmentValues
  private var locations: [String: Any] = [:]
  /// Closures that return whether the environment values that the view reads are the same in
  /// another environment.
  private var environmentReads: [(EnvironmentValues) -> Bool] = []
  private var isInvalid = true
  /// The objects of the environment that the view observes, by their types, and the subscriptions
  /// to them.
  private var observed: [ObjectIdentifier: (object: AnyObject, subscription: AnyCancellable)] = [:]

  init(_ view: any View, in environment: EnvironmentValues, on screen: Screen) {
    self.view = view
    self.environment = environment
    self.screen = screen
    update(to: nil, in: environment)
  }

  var element: Element? { (view as? any BuiltIn)?.element }

  // MARK: - Properties

  /// Returns the storage of a state, which exists from the view's first run on.
  func location<Value>(at path: String, initially value: Value) -> Location<Value> {
    if let location = locations[path] as? Location<Value> { return location }
    let location = Location(value, in: self)
    locations[path] = location
    return location
  }

  /// Returns a value of the environment, on which the view depends from now on.
  func read<Value>(_ keyPath: KeyPath<EnvironmentValues, Value>) -> Value {
    let value = environment[keyPath: keyPath]
    environmentReads.append { areSame($0[keyPath: keyPath], value) }
    return value
  }

  /// Returns an object of the environment, which the view observes while it remains at its
  /// position.
  func observe<Object: ObservableObject>(_ type: Object.Type) -> Object? {
    let object = environment.object(type)
    environmentReads.append { $0.object(type) === object }
    guard observed[ObjectIdentifier(type)]?.object !== object else { return object }
    observed[ObjectIdentifier(type)] = object.map { object in
      let subscription = object.objectWillChange.sink { [weak self] _ in
        MainActor.assumeIsolated { self?.invalidate() }
      }
      return (object, subscription)
    }
    return object
  }

  private func install(_ owner: Any, at path: String) {
    for (index, child) in Mirror(reflecting: owner).children.enumerated() {
      let path = "\(path).\(child.label ?? "\(index)")"
      if let property = child.value as? any Installable {
        property.install(at: path, in: self)
      } else if var property = child.value as? any DynamicProperty {
        install(property, at: path)
        property.update()
      } else if child.value is any ViewModifier {
        install(child.value, at: path)
      }
    }
  }

  // MARK: - Bodies

  /// Marks the view for an update, because a value that its body has read has changed.
  func invalidate() {
    guard !screen.isUpdating else { fatalError("\(type(of: view)): changed while views are being updated") }
    isInvalid = true
    screen.isWaiting = true
  }

  /// Updates the node for a view that replaces the previous one, or for the same view.
  func update(to new: (any View)?, in environment: EnvironmentValues) {
    let isDifferent = new.map { !areSame(view, $0) } ?? false
    if let new, isDifferent || new is any BuiltIn { view = new }
    self.environment = environment
    if let builtIn = view as? any BuiltIn {
      var inner = environment
      builtIn.change(&inner)
      return place(builtIn.parts, areNew: new != nil || children.isEmpty, in: inner)
    }
    guard isInvalid || isDifferent || !environmentReads.allSatisfy({ $0(environment) }) else {
      return place([], areNew: false, in: environment)
    }
    isInvalid = false
    environmentReads = []
    install(view, at: "")
    place([Part(run(view))], areNew: true, in: environment)
  }

  private func run(_ view: some View) -> any View {
    withObservationTracking {
      view.body
    } onChange: { [weak self] in
      MainActor.assumeIsolated { self?.invalidate() }
    }
  }

  private func place(_ parts: [Part], areNew: Bool, in environment: EnvironmentValues) {
    let old = children
    if areNew {
      children = parts.map { child(for: $0, among: old, in: environment) }
    } else {
      children.removeLast(destinationCount)
      for child in children { child.node.update(to: nil, in: environment) }
    }
    guard let stack = view as? any PathShowing else { return }
    let destinations = stack.destinations(of: children.map(\.node))
    destinationCount = destinations.count
    children += destinations.map { child(for: $0, among: old, in: environment) }
  }

  private func child(
    for part: Part, among known: [(key: AnyHashable, node: Node)], in environment: EnvironmentValues
  ) -> (key: AnyHashable, node: Node) {
    let known = known.first { $0.key == part.key && type(of: $0.node.view) == type(of: part.view) }
    known?.node.update(to: part.view, in: environment)
    return (part.key, known?.node ?? Node(part.view, in: environment, on: screen))
  }

  // MARK: - Content

  /// This node and all nodes within, from the outside in.
  var all: [Node] { [self] + children.flatMap { $0.node.all } }

  /// The children that no other child covers and whose tab is selected.
  private var uncovered: [Node] {
    if view is any PathShowing { return Array(children.map(\.node).suffix(1)) }
    guard case .tab(_, let tab) = element, tab != environment[TabSelection.self]?.selected else {
      return children.map(\.node)
    }
    return []
  }

  /// This node and all nodes within that are not covered, from the outside in.
  var shown: [Node] { [self] + uncovered.flatMap(\.shown) }

  /// Whether the user can operate the control that this node shows.
  var isEnabled: Bool { environment[EnabledKey.self] }

  /// Selects the tab that this node shows.
  func selectTab() {
    if case .tab(_, let tab) = element { environment[TabSelection.self]?.select(tab) }
  }

  /// The visible lines.
  var text: [String] {
    let own: [String] =
      switch element {
      case .text(let text), .label(let text): [text]
      case .alert(let title, _): ["! \(title)"]
      case .field(let title, let text): ["\(title): \(text.wrappedValue)"]
      case .toggle(let title, let isOn): ["\(title): \(isOn.wrappedValue ? "on" : "off")"]
      case .button, .edits, .appearance, .destination, .modal, .tab, .opener, .refresher, nil: []
      }
    if case .label = element { return own }
    return own + uncovered.flatMap(\.text)
  }

  /// Whether anything is visible; invisible views do not appear.
  var isVisible: Bool { !text.isEmpty }
}
