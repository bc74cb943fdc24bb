import Dispatch
public import FluxCore

extension Plugin {
  /// A plug-in that gives a store the timing of SwiftUIFlux: every action is handled later, on the
  /// main queue.
  ///
  /// ```swift
  /// let store = Store(
  ///   reducer: appReducer, middleware: [logging], plugins: [.deferredToMain], state: AppState())
  /// ```
  ///
  /// A dispatch, from whatever thread, appends the action to the main queue and returns. The main
  /// queue then runs the middleware, the reducer, the observers, and the work of the action, one
  /// action after the other. This includes the actions that middleware and work dispatch. As a
  /// result:
  ///
  /// - Right after a dispatch, ``/FluxCore/Store/state`` does not contain what the action changes.
  /// - Actions are reduced in the order in which they were dispatched. An action that a middleware
  ///   dispatches before it calls `next` is reduced after the middleware's own action.
  /// - Observers on the main actor have been called when the main queue goes on to the next
  ///   action.
  /// - A reducer, a ``/FluxCore/Store/withState(_:)`` closure, and the outer closures of a
  ///   middleware may dispatch. These actions are deferred like any other. A reducer must still
  ///   not read the store or subscribe to it.
  ///
  /// The timing applies to dispatches only. The first call of a subscription is made on the thread
  /// that subscribes, and the flush of a batch on the thread that closes it.
  ///
  /// An action that is still in the queue when the store is released is dropped; in SwiftUIFlux it
  /// keeps the store alive. `dispatchAsync` returns before the action is reduced, and waiting for
  /// its task includes the deferred action.
  ///
  /// A request that is sent with `request(_:)` has no identity until the main queue has run its
  /// action; its `result`, the view models of lists, and `restore()` of a ``Persistence`` wait for
  /// that. Two equal requests that are dispatched at the same time both find the state without
  /// `Pending`, because `Pending` is deferred, too.
  ///
  /// The place of this plug-in among others has no effect. The program has to run the main queue:
  /// an app does, and so does a program with an asynchronous `main`.
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
