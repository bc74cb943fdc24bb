public import FluxCore

/// Sets one field of a state: one action type for all simple fields of a form.
///
/// ```swift
/// let reducer = combine(
///   lift(BindingAction<LoginForm>.reducer, to: \AppState.login),
///   on(Submit.self) { state, _ in state.isSubmitting = true })
///
/// store.dispatch(BindingAction(\LoginForm.email, "ada@example.com"))
/// ```
///
/// It is an action like any other: reducers and middleware see which field it sets, and to what, and logs name it. Two
/// of them are equal when they set the same field to the same value.
public struct BindingAction<Form>: Action {
  /// The key path of the field.
  public let field: any PartialKeyPath<Form> & Sendable
  /// The field's new value.
  public let value: any Equatable & Sendable
  private let name: String?
  private let set: @Sendable (inout Form) -> Void
  private let isEqual: @Sendable (any Equatable & Sendable) -> Bool

  /// Creates the action that sets a field to a value.
  ///
  /// - Parameters:
  ///   - field: The key path of the field.
  ///   - value: The new value.
  ///   - name: The field's name in logs; by default what its key path says, which for a stored property is its name.
  public init<Value: Equatable & Sendable>(
    _ field: any WritableKeyPath<Form, Value> & Sendable, _ value: Value, named name: String? = nil
  ) {
    self.field = field
    self.value = value
    self.name = name
    set = { form in form[keyPath: field] = value }
    isEqual = { other in (other as? Value) == value }
  }

  /// Handlers that set the field that the action is for; `lift(_:to:)` them to where the form is.
  public static var reducer: ActionHandlers<Form> {
    on(BindingAction.self) { (form: inout Form, action) in action.apply(to: &form) }
  }

  /// Sets the field.
  public func apply(to form: inout Form) {
    set(&form)
  }

  /// Whether this sets a field.
  public func sets<Value>(_ field: KeyPath<Form, Value>) -> Bool {
    (self.field as PartialKeyPath<Form>) == field
  }

  /// The new value of a field; `nil` if this sets another.
  public func value<Value>(of field: KeyPath<Form, Value>) -> Value? {
    sets(field) ? value as? Value : nil
  }
}

extension BindingAction: Equatable {
  /// Whether both set the same field to the same value.
  public static func == (left: BindingAction, right: BindingAction) -> Bool {
    left.field == right.field && left.isEqual(right.value)
  }
}

extension BindingAction: CustomStringConvertible {
  /// The form and the field, and the new value: `LoginForm.email = "ada@example.com"`.
  public var description: String {
    "\(Form.self).\(name ?? fieldName) = \(String(reflecting: value))"
  }

  /// The field's name, or the type of its value where a key path knows no more.
  private var fieldName: String {
    let path = "\(field)"
    let isNamed = path.first == "\\" && !path.contains("<computed")
    guard isNamed, let dot = path.firstIndex(of: ".") else { return "(\(type(of: value)))" }
    return String(path[path.index(after: dot)...])
  }
}
