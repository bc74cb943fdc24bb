public import FluxCore

/// Several actions as one: they are dispatched in order, each when the one before and all that it started is done.
///
/// ```swift
/// store.dispatch(LoadLibrary() + ShowLibrary())
/// store.dispatch(LoadLibrary().then(ShowLibrary()))
/// await store.dispatchAsync(CompositeAction(actions)).finished()
/// ```
///
/// As long as nothing has to be waited for, they are dispatched before `dispatch` returns, on its thread; the rest follows
/// from a task. An action whose work fails does not keep the next from being dispatched: its error is told as ever.
/// Cancelling leaves out what has not been dispatched. The composite itself goes on to the reducer too, which need not know
/// it. The idea is SwiftDux's.
public struct CompositeAction: Action {
  /// What is dispatched, in order.
  public let actions: [any Action]

  /// Creates a composite of actions.
  public init(_ actions: [any Action]) {
    self.actions = actions
  }

  /// Creates a composite of actions.
  public init(_ actions: any Action...) {
    self.actions = actions
  }

  /// Dispatches the actions.
  public func _startWork(in context: ActionContext) -> (() -> Void)? {
    let rest = Locked(actions[...])
    let dispatch = context.dispatch
    /// Dispatches as long as nothing has to be waited for; returns what has to be.
    @Sendable func dispatchNext(_ work: Work) -> DispatchTask? {
      let attempt = Attempt(of: work)
      while let action = rest.withLock({ $0.popFirst() }) {
        let task = DispatchTask.gathering(in: work.scope) { attempt.dispatch(action, by: dispatch) }
        if task.isRunning { return task }
      }
      return nil
    }
    let running = Locked<DispatchTask?>(nil)
    let steps = WorkSteps(
      begin: { work, _ in
        let task = dispatchNext(work)
        _ = running.exchange(task)
        return task != nil
      },
      run: { work, _ in
        var task = running.exchange(nil)
        while let waited = task {
          await waited.finished()
          task = dispatchNext(work)
        }
      })
    return context.start(self, policy: .every, steps)
  }
}

extension CompositeAction: CustomStringConvertible {
  /// The actions in order.
  public var description: String { actions.map { "\($0)" }.joined(separator: " + ") }
}

extension Action {
  /// This action and another as one: the other is dispatched when this one, and all that it started, is done.
  public func then(_ next: any Action) -> CompositeAction {
    CompositeAction(parts(of: self) + parts(of: next))
  }

  /// Two actions as one, as ``then(_:)`` makes it.
  public static func + (first: Self, second: some Action) -> CompositeAction {
    first.then(second)
  }
}

/// What an action consists of, so that composites of composites are flat.
private func parts(of action: any Action) -> [any Action] {
  (action as? CompositeAction)?.actions ?? [action]
}
