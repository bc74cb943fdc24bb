// What is public here is SwiftUI's, and documented there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// A value that can be read and set, wherever it is.
///
/// As strict as SwiftUI's: its closures may run anywhere unless they say where.
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

  // A function that may be isolated to anything can only be awaited; where these run is known.

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
