public import FluxCore

/// A middleware that passes every action on, and does nothing else.
///
/// SwiftUIFlux runs async actions in this middleware, before the action is reduced. Here the store runs an async action
/// after the action is reduced. The middleware exists so that code that lists it compiles, and no action runs twice.
@Sendable
public func asyncActionsMiddleware<State>(
  dispatch: @escaping DispatchFunction, getState: @escaping @Sendable () -> State?
) -> @Sendable (_ next: @escaping DispatchFunction) -> DispatchFunction {
  { next in next }
}
