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
/// It needs no middleware: the store starts the work when the action arrives at the end of the chain, just before
/// the action goes on to the reducer. Middleware sees it like any other action, and may hold it back.
///
/// - Important: The conformance has to stand where the type becomes an ``/FluxCore/Action``. Where a type is an `Action`
///   already (in another module, in a superclass, or with the conformance to `AsyncAction` under a condition), that
///   conformance was settled without this one, and `execute` is never called.
///
/// The shape is SwiftUIFlux's.
public protocol AsyncAction: Action {
  /// Starts the work, and returns without waiting for it.
  ///
  /// Called once for each arrival, outside the store's lock, on the thread that sent the action on: that which
  /// dispatched, unless a middleware held it.
  ///
  /// - Parameters:
  ///   - state: The state as it is before this action is reduced.
  ///   - dispatch: Dispatches through the whole chain, from any thread. Once the store has gone, or the dispatch or the
  ///     work that the action belongs to was cancelled, it does nothing.
  func execute(state: (any FluxState)?, dispatch: @escaping DispatchFunction)
}

extension AsyncAction {
  /// Executes the action, unless the store has gone.
  public func _startWork(in context: ActionContext) -> (() -> Void)? {
    guard let state = context.state, EffectScope.current?.hasEnded != true else { return nil }
    // Nobody can know when it is done.
    EffectScope.current?.count {
      $0.arrived += 1
      $0.idle += 1
    }
    execute(state: state, dispatch: context.guardedDispatch)
    return nil
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
