public import FluxCore

/// An action that sets one field of a state, so that all simple fields of a form can share one
/// action type.
///
/// ```swift
/// let reducer = combine(
///   lift(BindingAction<LoginForm>.reducer, to: \AppState.login),
///   on(Submit.self) { state, _ in state.isSubmitting = true })
///
/// store.dispatch(BindingAction(\LoginForm.email, "ada@example.com"))
/// ```
///
/// Reducers and middleware can read the field and the new value, which logs also show. Two
/// binding actions are equal if they set the same field to the same value.
public struct BindingAction<Form>: Action {
  /// The key path of the field.
  public let field: any PartialKeyPath<Form> & Sendable
  /// The new value of the field.
  public let value: any Equatable & Sendable
  private let name: String?
  private let set: @Sendable (inout Form) -> Void
  private let isEqual: @Sendable (any Equatable & Sendable) -> Bool

  /// Creates an action that sets a field to a value.
  ///
  /// - Parameters:
  ///   - field: The key path of the field.
  ///   - value: The new value.
  ///   - name: The name of the field in logs. The default name is derived from the key path.
  ///     For a stored property, the default name is the name of the property.
  public init<Value: Equatable & Sendable>(
    _ field: any WritableKeyPath<Form, Value> & Sendable, _ value: Value, named name: String? = nil
  ) {
    self.field = field
    self.value = value
    self.name = name
    set = { form in form[keyPath: field] = value }
    isEqual = { other in (other as? Value) == value }
  }

  /// The handlers that reduce a binding action by setting its field to the new value.
  ///
  /// Use `lift(_:to:)` to apply the handlers to the part of the state that contains the form.
  public static var reducer: ActionHandlers<Form> {
    on(BindingAction.self) { (form: inout Form, action) in action.apply(to: &form) }
  }

  /// Sets the field of a form to the new value.
  public func apply(to form: inout Form) {
    set(&form)
  }

  /// Returns a Boolean value that indicates whether this action sets the given field.
  public func sets<Value>(_ field: KeyPath<Form, Value>) -> Bool {
    (self.field as PartialKeyPath<Form>) == field
  }

  /// Returns the new value of a field, or `nil` if this action sets another field.
  public func value<Value>(of field: KeyPath<Form, Value>) -> Value? {
    sets(field) ? value as? Value : nil
  }
}

extension BindingAction: Equatable {
  /// Returns a Boolean value that indicates whether two actions set the same field to the same
  /// value.
  public static func == (left: BindingAction, right: BindingAction) -> Bool {
    left.field == right.field && left.isEqual(right.value)
  }
}

extension BindingAction: CustomStringConvertible {
  /// A string that contains the form, the field, and the new value, as in
  /// `LoginForm.email = "ada@example.com"`.
  public var description: String {
    "\(Form.self).\(name ?? fieldName) = \(String(reflecting: value))"
  }

  /// The name of the field, or the type of the value in parentheses if the key path contains no
  /// name.
  private var fieldName: String {
    let path = "\(field)"
    let isNamed = path.first == "\\" && !path.contains("<computed")
    guard isNamed, let dot = path.firstIndex(of: ".") else { return "(\(type(of: value)))" }
    return String(path[path.index(after: dot)...])
  }
}
