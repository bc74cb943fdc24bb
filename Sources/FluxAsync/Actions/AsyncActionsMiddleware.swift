public import FluxCore

/// A middleware that passes every action on unchanged.
///
/// In SwiftUIFlux, this middleware runs async actions before they are reduced. Here, the store
/// runs an async action after the action is reduced. The middleware exists so that code that
/// lists it compiles. It does not run any action a second time.
@Sendable
public func asyncActionsMiddleware<State>(
  dispatch: @escaping DispatchFunction, getState: @escaping @Sendable () -> State?
) -> @Sendable (_ next: @escaping DispatchFunction) -> DispatchFunction {
  { next in next }
}
