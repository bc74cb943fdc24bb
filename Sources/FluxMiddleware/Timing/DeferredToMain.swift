import Dispatch
public import FluxCore

extension Plugin {
  /// A plug-in that gives a store the timing of SwiftUIFlux: every action is handled later, on
  /// the main queue.
  ///
  /// ```swift
  /// let store = Store(
  ///   reducer: appReducer, middleware: [logging], plugins: [.deferredToMain], state: AppState())
  /// ```
  ///
  /// A dispatch, from any thread, appends the action to the main queue and returns. The main
  /// queue then runs the middleware, the reducer, the observers, and the work of the action, one
  /// action after the other. This includes the actions that middleware and work dispatch. As a
  /// result:
  ///
  /// - Immediately after a dispatch, ``/FluxCore/Store/state`` does not contain the changes of
  ///   the action.
  /// - Actions are reduced in the order in which they were dispatched. If a middleware
  ///   dispatches an action before it calls `next`, that action is reduced after the
  ///   middleware's own action.
  /// - Observers on the main actor are called before the main queue continues with the next
  ///   action.
  /// - A reducer, a ``/FluxCore/Store/withState(_:)`` closure, and the outer closures of a
  ///   middleware can dispatch. These actions are deferred like any other. A reducer must still
  ///   not read the store or subscribe to it.
  ///
  /// The timing applies to dispatches only. The thread that subscribes makes the first call of a
  /// subscription, and the thread that closes a batch delivers its changes.
  ///
  /// If an action is still in the queue when the store is released, the action is dropped. In
  /// SwiftUIFlux, such an action keeps the store alive. `dispatchAsync` returns before the
  /// action is reduced, and waiting for its task includes the deferred action.
  ///
  /// A request that is sent with `request(_:)` has no identity until the main queue has run its
  /// action. The request's `result`, the view models of lists, and `restore()` of a
  /// ``Persistence`` wait for that. If two equal requests are dispatched at the same time, both
  /// find the state without `Pending`, because `Pending` is deferred, too.
  ///
  /// The position of this plug-in among other plug-ins has no effect. The program must run the
  /// main queue: an app does, and so does a program with an asynchronous `main`.
  public static var deferredToMain: Plugin {
    var plugin = Plugin()
    plugin.deferral = { context, next in
      { action in
        let dispatch = DeferredDispatch()
        DispatchQueue.main.async {
          dispatch.resume {
            if !context.scope.hasEnded { next(action) }
            MainActor.assumeIsolated { _ = context.deliverOnMain() }
          }
        }
      }
    }
    return plugin
  }
}
