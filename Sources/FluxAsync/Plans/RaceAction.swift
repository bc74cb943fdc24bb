public import FluxCore

/// Several actions of which the fastest wins: when one, and all that it started, is done, the work of the others is
/// cancelled.
///
/// ```swift
/// store.dispatch(RaceAction(LoadFromServer(), LoadFromCache()))
/// ```
///
/// They are dispatched in order, before `dispatch` returns, on its thread. One that has no work is done at once: those
/// after it are not dispatched. That a work has failed is a way of being done. The idea is Redux-Saga's.
public struct RaceAction: Action {
  /// Who runs.
  public let actions: [any Action]

  /// Creates a race of actions.
  public init(_ actions: [any Action]) {
    self.actions = actions
  }

  /// Creates a race of actions.
  public init(_ actions: any Action...) {
    self.actions = actions
  }

  /// Dispatches the actions.
  public func _startWork(in context: ActionContext) {
    let dispatch = context.dispatch
    let running = Locked<[DispatchTask]>([])
    let attempt = Attempt()
    let steps = WorkSteps(
      begin: { work, _ in
        var tasks: [DispatchTask] = []
        for action in actions {
          let task = DispatchTask.gathering(in: work.scope) {
            work.dispatch(action, for: attempt, by: dispatch)
          }
          guard task.isRunning else {
            for other in tasks { other.cancel() }
            return false
          }
          tasks.append(task)
        }
        _ = running.exchange(tasks)
        return !tasks.isEmpty
      },
      run: { _, _ in
        let tasks = running.exchange([])
        await withTaskGroup { group in
          for task in tasks { group.addTask { await task.finished() } }
          _ = await group.next()
          group.cancelAll()
        }
      })
    context.start(self, policy: .every, steps)
  }
}

extension RaceAction: CustomStringConvertible {
  /// The actions in order.
  public var description: String { "RaceAction(\(actions.map { "\($0)" }.joined(separator: ", ")))" }
}
