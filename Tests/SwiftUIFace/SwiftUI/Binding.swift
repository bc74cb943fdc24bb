// The public declarations here are SwiftUI's, which documents them.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// A value that can be read and set, wherever it is stored.
///
/// As strict as SwiftUI's: its closures may run anywhere unless they are isolated.
@propertyWrapper
public struct Binding<Value> {
  private let get: @isolated(any) @Sendable () -> Value
  private let set: @isolated(any) @Sendable (Value) -> Void

  @preconcurrency
  public init(
    get: @escaping @isolated(any) @Sendable () -> Value,
    set: @escaping @isolated(any) @Sendable (Value) -> Void
  ) {
    self.get = get
    self.set = set
  }

  // A function with any isolation can only be awaited; these functions run in a known isolation.

  public var wrappedValue: Value {
    get {
      MainActor.preconditionIsolated()
      return unsafeBitCast(get, to: (() -> Value).self)()
    }
    nonmutating set {
      MainActor.preconditionIsolated()
      unsafeBitCast(set, to: ((Value) -> Void).self)(newValue)
    }
  }

  public var projectedValue: Binding<Value> { self }
}
