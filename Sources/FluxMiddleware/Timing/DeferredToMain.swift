import Dispatch
public import FluxCore

extension Plugin {
  /// A plug-in that defers the handling of every action to the main queue, as SwiftUIFlux does.
  ///
  /// ```swift
  /// let store = Store(
  ///   reducer: appReducer, middleware: [logging], plugins: [.deferredToMain], state: AppState())
  /// ```
  ///
  /// A dispatch from any thread appends the action to the main queue and returns. The main queue
  /// then handles one action after the other: it runs the middleware, the reducer, and the
  /// observers, and starts the work of the action. Actions that middleware and work dispatch are
  /// also deferred. As a result:
  ///
  /// - Immediately after a dispatch, ``/FluxCore/Store/state`` does not contain the changes of
  ///   the action.
  /// - Actions are reduced in the order in which they were dispatched. If a middleware
  ///   dispatches an action before it calls `next`, that action is reduced after the
  ///   middleware's own action.
  /// - Observers on the main actor are called before the main queue continues with the next
  ///   action.
  /// - A reducer, a ``/FluxCore/Store/withState(_:)`` closure, and the outer closures of a
  ///   middleware can dispatch. These actions are deferred like any other action. A reducer must
  ///   still not read the store or subscribe to it.
  ///
  /// The plug-in defers only dispatches. The thread that subscribes still makes the first call
  /// of a subscription, and the thread that closes a batch still delivers the changes of the
  /// batch.
  ///
  /// If an action is still in the queue when the store is released, the action is dropped. In
  /// SwiftUIFlux, such an action keeps the store alive instead. `dispatchAsync` returns before
  /// the action is reduced. Code that waits for the returned task also waits until the deferred
  /// action has been handled.
  ///
  /// A request that is sent with `request(_:)` has no identity until the main queue has handled
  /// its action. The request's `result`, the view models of lists, and the `restore()` method of
  /// a ``Persistence`` wait until then. If two equal requests are dispatched at the same time,
  /// neither of them finds a pending request in the state, because the `Pending` action is
  /// deferred, too.
  ///
  /// The position of this plug-in among other plug-ins has no effect. The program must run the
  /// main queue, as an app and a program with an asynchronous `main` do.
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
