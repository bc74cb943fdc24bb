public import FluxCore

/// A value that binds the values and functions in the props of a view to actions.
///
/// ```swift
/// LoginProps(
///   email: binder.bind(state.email) { SetEmail($0) },
///   remember: binder.bind(\.remember, of: state.form),
///   onSubmit: binder.bind(Submit()),
///   onMove: binder.bind { from, to in Move(from: from, to: to) })
/// ```
///
/// A connection passes a binder to its mapping. The bindings dispatch actions on the main
/// actor. When a dispatch returns, the props of the connection are up to date. The closures
/// that you bind can capture values from the state. If the props of a newer state are equal to
/// the displayed props, the displayed bindings call the closures of the newer props. The idea
/// and the name come from SwiftDux.
@MainActor
public struct ActionBinder {
  /// The dispatcher that sends actions to the store.
  public let dispatch: ActionDispatcher
  private let run: BindingRun?

  init(dispatch: ActionDispatcher, run: BindingRun?) {
    self.dispatch = dispatch
    self.run = run
  }

  /// Creates a binder without a connection.
  public init(_ dispatch: ActionDispatcher) {
    self.init(dispatch: dispatch, run: nil)
  }

  // MARK: - Values

  /// Binds a value to the action that changes the value.
  ///
  /// The file, line, and column of the call identify the binding across runs of the mapping.
  ///
  /// - Parameters:
  ///   - value: The current value.
  ///   - file: The file of the call.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - makeAction: A closure that returns the action for a new value, or `nil` to dispatch
  ///     nothing.
  /// - Returns: A binding to the value, whose setter dispatches the action.
  public func bind<Value: Equatable>(
    _ value: Value, file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    dispatch makeAction: @escaping (Value) -> (any Action)?
  ) -> ActionBinding<Value> {
    let slot = ValueSlot(
      value, at: BindingSite(file: file, line: line, column: column), to: dispatch, makeAction)
    let place = run?.add(slot)
    return ActionBinding(
      value, areEqual: { $0 == $1 },
      newest: { [run] in slot.newest(place.flatMap { run?.newest(at: $0) }) },
      send: { slot.set($0) })
  }

  /// Binds a field to a ``BindingAction``, so that the field needs no separate action type.
  ///
  /// - Parameters:
  ///   - field: The key path of the field.
  ///   - form: The current value of the form.
  ///   - file: The file of the call.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A binding to the value of the field, whose setter dispatches the action.
  public func bind<Form, Value: Equatable & Sendable>(
    _ field: any WritableKeyPath<Form, Value> & Sendable, of form: Form, file: StaticString = #fileID,
    line: UInt = #line, column: UInt = #column
  ) -> ActionBinding<Value> {
    bind(form[keyPath: field], file: file, line: line, column: column) { BindingAction(field, $0) }
  }

  // MARK: - Functions

  /// Creates a function that passes its arguments to a closure, and dispatches the action that
  /// the closure returns.
  ///
  /// If the closure returns `nil`, the function dispatches nothing.
  public func bind<each Parameter>(
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    _ makeAction: @escaping (repeat each Parameter) -> (any Action)?
  ) -> ActionFunction<repeat each Parameter> {
    let slot = FunctionSlot(
      at: BindingSite(file: file, line: line, column: column), to: dispatch, makeAction)
    _ = run?.add(slot)
    return ActionFunction(slot: slot)
  }

  /// Creates a binding to a function that dispatches an action.
  public func bind(
    _ action: any Action, file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> ActionBinding<() -> Void> {
    let function: ActionFunction<> = bind(file: file, line: line, column: column) { action }
    return .function { function() }
  }

  /// Creates a binding to a function that is isolated to the main actor and that dispatches an
  /// action.
  ///
  /// Use the function as the action of a button, for example.
  @_disfavoredOverload
  public func bind(
    _ action: any Action, file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> ActionBinding<@MainActor () -> Void> {
    let function: ActionFunction<> = bind(file: file, line: line, column: column) { action }
    return .function { function() }
  }

  /// Creates a binding to a function that calls a closure, and dispatches the action that the
  /// closure returns.
  public func bind(
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    _ makeAction: @escaping () -> (any Action)?
  ) -> ActionBinding<() -> Void> {
    let function: ActionFunction<> = bind(file: file, line: line, column: column, makeAction)
    return .function { function() }
  }

  /// Creates a binding to a function that is isolated to the main actor and that dispatches the
  /// action that a closure returns.
  @_disfavoredOverload
  public func bind(
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    _ makeAction: @escaping () -> (any Action)?
  ) -> ActionBinding<@MainActor () -> Void> {
    let function: ActionFunction<> = bind(file: file, line: line, column: column, makeAction)
    return .function { function() }
  }

  /// Creates a binding to a function that passes its argument to a closure, and dispatches the
  /// action that the closure returns.
  public func bind<A>(
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    _ makeAction: @escaping (A) -> (any Action)?
  ) -> ActionBinding<(A) -> Void> {
    let function: ActionFunction<A> = bind(file: file, line: line, column: column, makeAction)
    return .function { function($0) }
  }

  /// Creates a binding to a function that passes its two arguments to a closure, and dispatches
  /// the action that the closure returns.
  public func bind<A, B>(
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    _ makeAction: @escaping (A, B) -> (any Action)?
  ) -> ActionBinding<(A, B) -> Void> {
    let function: ActionFunction<A, B> = bind(file: file, line: line, column: column, makeAction)
    return .function { function($0, $1) }
  }

  /// Creates a binding to a function that passes its three arguments to a closure, and dispatches
  /// the action that the closure returns.
  public func bind<A, B, C>(
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    _ makeAction: @escaping (A, B, C) -> (any Action)?
  ) -> ActionBinding<(A, B, C) -> Void> {
    let function: ActionFunction<A, B, C> = bind(file: file, line: line, column: column, makeAction)
    return .function { function($0, $1, $2) }
  }

  /// Creates a binding to a function that passes its four arguments to a closure, and dispatches
  /// the action that the closure returns.
  public func bind<A, B, C, D>(
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    _ makeAction: @escaping (A, B, C, D) -> (any Action)?
  ) -> ActionBinding<(A, B, C, D) -> Void> {
    let function: ActionFunction<A, B, C, D> = bind(file: file, line: line, column: column, makeAction)
    return .function { function($0, $1, $2, $3) }
  }

  /// Creates a binding to a function that passes its five arguments to a closure, and dispatches
  /// the action that the closure returns.
  public func bind<A, B, C, D, E>(
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    _ makeAction: @escaping (A, B, C, D, E) -> (any Action)?
  ) -> ActionBinding<(A, B, C, D, E) -> Void> {
    let function: ActionFunction<A, B, C, D, E> = bind(file: file, line: line, column: column, makeAction)
    return .function { function($0, $1, $2, $3, $4) }
  }

  /// Creates a binding to a function that passes its six arguments to a closure, and dispatches
  /// the action that the closure returns.
  public func bind<A, B, C, D, E, F>(
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    _ makeAction: @escaping (A, B, C, D, E, F) -> (any Action)?
  ) -> ActionBinding<(A, B, C, D, E, F) -> Void> {
    let function: ActionFunction<A, B, C, D, E, F> = bind(file: file, line: line, column: column, makeAction)
    return .function { function($0, $1, $2, $3, $4, $5) }
  }
}

/// A slot that binds a value to the action that changes the value.
private final class ValueSlot<Value: Equatable>: BindingSlot {
  let site: BindingSite
  private var value: Value
  private var dispatch: ActionDispatcher
  private var makeAction: (Value) -> (any Action)?

  init(
    _ value: Value, at site: BindingSite, to dispatch: ActionDispatcher,
    _ makeAction: @escaping (Value) -> (any Action)?
  ) {
    self.site = site
    self.value = value
    self.dispatch = dispatch
    self.makeAction = makeAction
  }

  func set(_ value: Value) {
    if let action = makeAction(value) { dispatch(action) }
  }

  /// Returns the value of the same binding in a newer run of the mapping.
  ///
  /// If the other slot does not come from the same call of `bind`, the method returns the value
  /// of this slot.
  func newest(_ other: (any BindingSlot)?) -> Value {
    guard let other = other as? ValueSlot<Value>, other.site == site else { return value }
    return other.value
  }

  func adopt(_ other: any BindingSlot) {
    guard let other = other as? ValueSlot<Value> else { return }
    value = other.value
    makeAction = other.makeAction
    dispatch = other.dispatch
  }
}
