// What is public here is SwiftUI's, and documented there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// A property of a view that comes from what the view is on the screen, and not from who makes it.
public protocol DynamicProperty {
  /// Is called before the body runs; nothing here needs it.
  mutating func update()
}

extension DynamicProperty {
  public mutating func update() {}
}

/// A property that the renderer gives its value: before each run of the body, for the place on the screen.
protocol Installable: DynamicProperty {
  @MainActor func install(at path: String, in node: Node)
}

/// What a property and its copies have in common, for the renderer to fill.
final class Link<Value> {
  var value: Value?
}

/// A value that is kept as long as a view is at its place.
///
/// As SwiftUI's: the first value of those that views were made with stays.
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

/// Where the value of a state is.
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

/// A value that views around set for all within.
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
