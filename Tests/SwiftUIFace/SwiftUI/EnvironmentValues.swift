// What is public here is SwiftUI's, and documented there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Names a value of the environment, and says what it is where nobody has set it.
public protocol EnvironmentKey {
  associatedtype Value

  static var defaultValue: Value { get }
}

/// The values that views around have set.
public struct EnvironmentValues {
  private var values: [ObjectIdentifier: Any] = [:]

  public init() {}

  public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
    get { values[ObjectIdentifier(key)] as? Key.Value ?? Key.defaultValue }
    set { values[ObjectIdentifier(key)] = newValue }
  }
}

extension View {
  public func environment<Value>(
    _ keyPath: WritableKeyPath<EnvironmentValues, Value>, _ value: Value
  ) -> some View {
    EnvironmentWriter(content: self, keyPath: keyPath, value: value)
  }
}

/// A view with a value set for it and all within.
struct EnvironmentWriter<Content: View, Value>: View, BuiltIn {
  typealias Body = Never

  let content: Content
  let keyPath: WritableKeyPath<EnvironmentValues, Value>
  let value: Value

  var parts: [Part] { [Part(content)] }

  func change(_ environment: inout EnvironmentValues) {
    environment[keyPath: keyPath] = value
  }
}
