import FluxCore

/// A function in a view's props that creates an action from its arguments and dispatches the
/// action.
///
/// The function can have any number of parameters.
///
/// ```swift
/// struct ListProps: Equatable {
///   let onMove: ActionFunction<Int, Int>
/// }
///
/// props.onMove(3, 0)
/// ```
///
/// An ``ActionBinder`` creates action functions. Any two action functions with the same
/// parameters are equal.
@MainActor
public struct ActionFunction<each Parameter> {
  let slot: FunctionSlot<repeat each Parameter>

  /// Dispatches the action for the arguments, unless the bound closure returns `nil`.
  ///
  /// When the call returns, the connection's props are up to date.
  public func callAsFunction(_ parameter: repeat each Parameter) {
    slot.call(repeat each parameter)
  }
}

extension ActionFunction: Equatable {
  /// Returns `true`.
  ///
  /// Closures cannot be compared. While the props stay equal, a function in the displayed props
  /// calls the newest closure.
  public nonisolated static func == (left: ActionFunction, right: ActionFunction) -> Bool { true }
}

/// A slot that contains the closure that creates an action from the arguments of a function, and
/// the dispatcher of the action.
final class FunctionSlot<each Parameter>: BindingSlot {
  let site: BindingSite
  private var dispatch: ActionDispatcher
  private var makeAction: (repeat each Parameter) -> (any Action)?

  init(
    at site: BindingSite, to dispatch: ActionDispatcher,
    _ makeAction: @escaping (repeat each Parameter) -> (any Action)?
  ) {
    self.site = site
    self.dispatch = dispatch
    self.makeAction = makeAction
  }

  func call(_ parameter: repeat each Parameter) {
    if let action = makeAction(repeat each parameter) { dispatch(action) }
  }

  func adopt(_ other: any BindingSlot) {
    guard let other = other as? FunctionSlot<repeat each Parameter> else { return }
    makeAction = other.makeAction
    dispatch = other.dispatch
  }
}
