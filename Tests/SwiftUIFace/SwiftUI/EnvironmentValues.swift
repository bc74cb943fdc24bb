// The public declarations here are SwiftUI's, which documents them.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// A key of an environment value, with its default value.
public protocol EnvironmentKey {
  associatedtype Value

  static var defaultValue: Value { get }
}

/// The values that enclosing views have set.
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

/// A view with a value that is set for it and all views within.
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
