#if canImport(SwiftUI)
  public import SwiftUI
#endif

/// A value of the props of a view that is changed by actions: its setter dispatches.
///
/// ```swift
/// struct LoginProps: Equatable {
///   @ActionBinding var email: String
///   @ActionBinding var onSubmit: () -> Void
/// }
///
/// props.email = "ada@example.com"
/// props.onSubmit()
/// ```
///
/// An ``ActionBinder`` makes it. It is a snapshot, as the props are: after it has been set, it still is what it was, and the
/// next props have the new value; ``current`` is ahead of them. Two bindings are equal when their values are, whatever they
/// dispatch; functions always are. The idea and the name are SwiftDux's.
@propertyWrapper
public struct ActionBinding<Value> {
  private let value: Value
  private let areEqual: (Value, Value) -> Bool
  private let readNewest: () -> Value
  private let send: (Value) -> Void

  init(
    _ value: Value, areEqual: @escaping (Value, Value) -> Bool, newest: @escaping () -> Value,
    send: @escaping (Value) -> Void
  ) {
    self.value = value
    self.areEqual = areEqual
    readNewest = newest
    self.send = send
  }

  /// A binding whose value never changes, for previews and tests; what is sent goes nowhere.
  public static func constant(_ value: Value) -> ActionBinding where Value: Equatable {
    ActionBinding(value, areEqual: { $0 == $1 }, newest: { value }, send: { _ in })
  }

  /// A function that does not dispatch, or not by a binder; it counts as equal to every other.
  static func function(_ function: Value) -> ActionBinding {
    ActionBinding(function, areEqual: { _, _ in true }, newest: { function }, send: { _ in })
  }

  /// The value when the props were made; setting it dispatches the action for the new value.
  ///
  /// When the setter returns, the action has been reduced, and the connection's props are up to date.
  public var wrappedValue: Value {
    get { value }
    nonmutating set { send(newValue) }
  }

  /// The value as the newest props have it, for what reads back at once what it has set, as a text field does.
  public var current: Value { readNewest() }

  #if canImport(SwiftUI)
    /// A binding of SwiftUI's, for its controls: `TextField("Email", text: props.$email)`.
    ///
    /// It reads ``current``, and so what it has just set.
    @MainActor public var projectedValue: Binding<Value> {
      Binding(get: { @MainActor in current }, set: { @MainActor in wrappedValue = $0 })
    }

    /// Returns a binding of SwiftUI's, for its controls: `TextField("Email", text:
    /// binding.toBinding())`.
    ///
    /// It is the same as ``projectedValue``. The name is SwiftDux's.
    @MainActor
    public func toBinding() -> Binding<Value> { projectedValue }
  #endif
}

extension ActionBinding: Equatable {
  /// Whether the values are equal; functions always are.
  public static func == (left: ActionBinding, right: ActionBinding) -> Bool {
    left.areEqual(left.value, right.value)
  }
}

#if canImport(SwiftUI)
  extension Binding {
    /// A binding of SwiftUI's to a value that is changed by actions, for one that is not a property of props.
    @MainActor
    public init(_ binding: ActionBinding<Value>) {
      self = binding.projectedValue
    }
  }
#endif
