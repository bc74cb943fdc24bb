#if canImport(SwiftUI)
  public import SwiftUI
#endif

/// A value in the props of a view, with a setter that dispatches an action.
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
/// An ``ActionBinder`` creates bindings. Like the props, a binding is a snapshot. After the
/// setter dispatches its action, the binding keeps the old value, and the next props contain
/// the new value. To read the newest value before the view receives the next props, use
/// ``current``. Two bindings are equal if their values are equal, regardless of the actions
/// that they dispatch. Bindings to functions are always equal. The idea and the name come from
/// SwiftDux.
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

  /// Returns a binding whose value never changes, for previews and tests.
  ///
  /// The setter of the binding dispatches nothing.
  public static func constant(_ value: Value) -> ActionBinding where Value: Equatable {
    ActionBinding(value, areEqual: { $0 == $1 }, newest: { value }, send: { _ in })
  }

  /// Returns a binding to a function.
  ///
  /// Any two bindings to functions are equal. The setter of a binding to a function dispatches
  /// nothing.
  static func function(_ function: Value) -> ActionBinding {
    ActionBinding(function, areEqual: { _, _ in true }, newest: { function }, send: { _ in })
  }

  /// The value of the binding when the props were created.
  ///
  /// Setting this property dispatches the action for the new value.
  ///
  /// When the setter returns, the action has been reduced, and the connection's props are up to
  /// date.
  public var wrappedValue: Value {
    get { value }
    nonmutating set { send(newValue) }
  }

  /// The value in the newest props.
  ///
  /// Use this property in a control that sets the value and then reads it immediately, such as
  /// a text field.
  public var current: Value { readNewest() }

  #if canImport(SwiftUI)
    /// A SwiftUI binding for controls, as in `TextField("Email", text: props.$email)`.
    ///
    /// The binding reads ``current``, so its value is up to date immediately after the value is
    /// set.
    @MainActor public var projectedValue: Binding<Value> {
      Binding(get: { @MainActor in current }, set: { @MainActor in wrappedValue = $0 })
    }

    /// Returns a SwiftUI binding for controls, as in
    /// `TextField("Email", text: binding.toBinding())`.
    ///
    /// The binding is the same as ``projectedValue``. The name comes from SwiftDux.
    @MainActor
    public func toBinding() -> Binding<Value> { projectedValue }
  #endif
}

extension ActionBinding: Equatable {
  /// Returns a Boolean value that indicates whether the values of two bindings are equal.
  ///
  /// Any two bindings to functions are equal.
  public static func == (left: ActionBinding, right: ActionBinding) -> Bool {
    left.areEqual(left.value, right.value)
  }
}

#if canImport(SwiftUI)
  extension Binding {
    /// Creates a SwiftUI binding from an action binding.
    ///
    /// Use this initializer if the action binding is not a property of the props.
    @MainActor
    public init(_ binding: ActionBinding<Value>) {
      self = binding.projectedValue
    }
  }
#endif
