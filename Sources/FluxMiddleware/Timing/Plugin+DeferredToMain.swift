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
  /// handles the actions one after another. To handle an action, the main queue runs the
  /// middleware, the reducer, and the observers, and starts the work of the action. Actions that
  /// are dispatched by middleware or by work are also deferred. Using the plug-in has the
  /// following consequences:
  ///
  /// - Immediately after a dispatch, ``/FluxCore/Store/state`` does not contain the changes that
  ///   the action makes.
  /// - Actions are reduced in the order in which they were dispatched. If a middleware
  ///   dispatches an action before it calls `next`, the dispatched action is reduced after the
  ///   action that the middleware passes on.
  /// - Observers on the main actor are called before the main queue continues with the next
  ///   action.
  /// - A reducer, a ``/FluxCore/Store/withState(_:)`` closure, and the outer closures of a
  ///   middleware can dispatch actions, which are deferred like any other action. However, a
  ///   reducer must not read the store or subscribe to it.
  ///
  /// The plug-in defers only dispatches. The thread that adds an observer still calls the
  /// observer for the first time, and the thread that ends a batch still delivers the changes
  /// of the batch.
  ///
  /// If an action is still in the queue when the store is released, the action is dropped. In
  /// SwiftUIFlux, an action in the queue keeps the store alive. `dispatchAsync` returns before
  /// the action is reduced. Code that waits for the task that `dispatchAsync` returns also waits
  /// until the main queue has handled the action.
  ///
  /// A request that is sent with `request(_:)` has no identity until the main queue has handled
  /// its action. Code that awaits the `result` of a request, or calls the `restore()` method of a
  /// ``Persistence`` object, continues only after the main queue has handled the action. The view
  /// models of lists also wait until the main queue has handled their actions. If two equal
  /// requests are dispatched at the same time, neither request finds a pending request in the
  /// state, because the `Pending` action is also deferred.
  ///
  /// The position of this plug-in among other plug-ins has no effect. The program must run the
  /// main queue, as every app and every program with an asynchronous `main` does.
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
