// The public declarations here are SwiftUI's, which documents them.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// A property of a view that depends on the view's position on the screen, and not on its creator.
public protocol DynamicProperty {
  /// Called before the body runs, after the properties within were set.
  mutating func update()
}

extension DynamicProperty {
  public mutating func update() {}
}

/// A property whose value the renderer sets before each run of the body, for the position on the
/// screen.
protocol Installable: DynamicProperty {
  @MainActor func install(at path: String, in node: Node)
}

/// The shared storage of a property and its copies, which the renderer fills.
final class Link<Value> {
  var value: Value?
}

/// A value that is kept while a view remains at its position.
///
/// Like SwiftUI's, it keeps the initial value of the first view at the position.
@propertyWrapper
public struct State<Value>: DynamicProperty {
  private let initial: Value
  private let link = Link<Location<Value>>()

  public init(wrappedValue: Value) {
    initial = wrappedValue
  }

  public init(initialValue: Value) {
    initial = initialValue
  }

  public var wrappedValue: Value {
    get { link.value?.read() ?? initial }
    nonmutating set { link.value?.write(newValue) }
  }

  @MainActor public var projectedValue: Binding<Value> {
    Binding(get: { @MainActor in wrappedValue }, set: { @MainActor in wrappedValue = $0 })
  }
}

extension State: Installable {
  func install(at path: String, in node: Node) {
    link.value = node.location(at: path, initially: initial)
  }
}

/// The storage of a state.
final class Location<Value> {
  private var value: Value
  private var wasRead = false
  private weak var node: Node?

  init(_ value: Value, in node: Node) {
    self.value = value
    self.node = node
  }

  func read() -> Value {
    wasRead = true
    return value
  }

  func write(_ new: Value) {
    let isNew = !areSame(value, new)
    value = new
    if isNew, wasRead, let node { MainActor.assumeIsolated { node.invalidate() } }
  }
}

/// A value that enclosing views set for all views within.
@propertyWrapper
public struct Environment<Value>: DynamicProperty {
  private let keyPath: KeyPath<EnvironmentValues, Value>
  private let link = Link<Value>()

  public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {
    self.keyPath = keyPath
  }

  public var wrappedValue: Value { link.value ?? EnvironmentValues()[keyPath: keyPath] }
}

extension Environment: Installable {
  func install(at path: String, in node: Node) {
    link.value = node.read(keyPath)
  }
}
