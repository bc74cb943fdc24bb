package import FluxCore

/// One run of work for a key.
///
/// The run can be canceled at any time, also before it has begun. Cancellation ends the scope of
/// the run, so that actions that the run dispatches later are dropped.
package final class KeptRun<State: Sendable, Key: Sendable>: Sendable {
  package typealias Body = @Sendable (_ key: Key, _ store: StoreProxy<State>) async throws -> Void

  private let key: Key
  private let store: StoreProxy<State>
  /// The scope of everything that the run starts.
  private let scope: EffectScope

  package init(of key: Key, in store: StoreProxy<State>) {
    self.key = key
    self.store = store.used(by: ServiceUser(KeptWork<Key>.self))
    scope = EffectScope(within: store.context.scope)
  }

  /// Runs a closure in a task, unless the run was canceled.
  package func start(priority: TaskPriority?, _ body: @escaping Body) {
    scope.start(priority: priority) {
      guard !self.scope.hasEnded else { return }
      do {
        try await body(self.key, self.store.dispatching { self.dispatch($0) })
      } catch {
        self.whileWanted {
          let context = self.store.context
          context.settings.report(error, of: KeptWork(key: self.key), dispatch: self.store.dispatch)
        }
      }
    }
  }

  /// Cancels the run and everything that it has started.
  package func cancel() {
    scope.end()
  }

  /// Waits until no thread is dispatching an action of the run.
  package func untilDispatched() async {
    await scope.untilDispatched()
  }

  private func dispatch(_ action: any Action) {
    whileWanted { store.dispatch(action) }
  }

  /// Calls a closure that can dispatch, unless the run was canceled.
  ///
  /// The next run begins after the closure has returned.
  private func whileWanted(_ act: () -> Void) {
    scope.whileDispatching { scope.gather(act) }
  }
}
