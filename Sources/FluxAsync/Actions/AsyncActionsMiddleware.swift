public import FluxCore

/// A middleware that passes every action on, and does nothing else.
///
/// In SwiftUIFlux this is what runs async actions. Here a store runs them by itself; the middleware exists so that
/// code that lists it compiles, and nothing runs twice.
@Sendable
public func asyncActionsMiddleware<State>(
  dispatch: @escaping DispatchFunction, getState: @escaping @Sendable () -> State?
) -> @Sendable (_ next: @escaping DispatchFunction) -> DispatchFunction {
  { next in next }
}
