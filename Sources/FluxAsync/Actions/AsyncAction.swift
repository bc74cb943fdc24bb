public import FluxCore

/// An action that does asynchronous work, and dispatches what comes of it.
///
/// ```swift
/// struct FetchDetail: AsyncAction {
///   let movie: Int
///
///   func execute(state: (any FluxState)?, dispatch: @escaping DispatchFunction) {
///     service.detail(of: movie) { result in
///       switch result {
///       case .success(let detail): dispatch(SetDetail(detail))
///       case .failure(let error): dispatch(FetchFailed(movie: movie, reason: "\(error)"))
///       }
///     }
///   }
/// }
/// ```
///
/// An async action needs no middleware. The store starts the work once the action has passed the chain and has been
/// reduced, so the action is reduced before anything that ``execute(state:dispatch:)`` dispatches, even at once.
/// Middleware sees an async action like any other action, and may hold it back.
///
/// - Important: The conformance has to stand where the type becomes an ``/FluxCore/Action``. Where a type is an `Action`
///   already (in another module, in a superclass, or with the conformance to `AsyncAction` under a condition), that
///   conformance was settled without this one, and `execute` is never called.
///
/// The shape is SwiftUIFlux's.
public protocol AsyncAction: Action {
  /// Starts the work, and returns without waiting for it.
  ///
  /// The store calls this method once for each arrival, after the action is reduced and before `dispatch` returns. The
  /// call is made outside the store's lock, on the thread that sent the action on: the dispatching thread, unless a
  /// middleware held the action.
  ///
  /// - Parameters:
  ///   - state: The state that the action found: the state before this action is reduced. Because the store keeps this
  ///     state during the reduction, a reducer that changes a collection in place copies the collection. The other kinds
  ///     of actions with work keep no state.
  ///   - dispatch: Dispatches through the whole chain, from any thread. Once the store has gone, or the dispatch or the
  ///     work that the action belongs to was cancelled, it does nothing.
  func execute(state: (any FluxState)?, dispatch: @escaping DispatchFunction)
}

extension AsyncAction {
  /// Returns a closure that executes the action, or `nil` if the store has gone.
  public func _startWork(in context: ActionContext) -> (() -> Void)? {
    guard let state = context.state, EffectScope.current?.hasEnded != true else { return nil }
    // Nobody can know when it is done.
    EffectScope.current?.count {
      $0.arrived += 1
      $0.idle += 1
    }
    let dispatch = context.guardedDispatch
    return {
      // An observer of the action may have cancelled the dispatch.
      if EffectScope.current?.hasEnded != true { execute(state: state, dispatch: dispatch) }
    }
  }
}

extension ActionContext {
  /// A function that dispatches as long as what the action belongs to was not cancelled.
  var guardedDispatch: DispatchFunction {
    let dispatch = dispatch
    guard let scope = EffectScope.current else { return dispatch }
    return { action in
      scope.whileLoud { if !scope.hasEnded { dispatch(action) } }
    }
  }
}
