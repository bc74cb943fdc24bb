public import FluxCore

/// Several actions of which the fastest wins: when one, and all that it started, is done, the work of the others is
/// cancelled.
///
/// ```swift
/// store.dispatch(RaceAction(LoadFromServer(), LoadFromCache()))
/// ```
///
/// Once the race itself is reduced, they are dispatched in order, before `dispatch` returns, on its thread. One that has no work is done at once: those
/// after it are not dispatched. That a work has failed is a way of being done. What never begins, because its policy drops it
/// or it is a request that is not wanted, is out of the race, and so is what is cancelled; and an ``AsyncAction``, of which nobody can know when it is
/// done, cannot win. When nobody is left who can, the race is over. The idea is Redux-Saga's.
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

  /// Prepares the race, and returns a closure that dispatches the actions.
  public func _startWork(in context: ActionContext) -> (() -> Void)? {
    let dispatch = context.dispatch
    let racers = Locked<[DispatchTask]>([])
    let steps = WorkSteps(
      begin: { work, _ in
        let attempt = Attempt(of: work)
        for action in actions {
          let racer = DispatchTask.gathering(in: work.scope) { attempt.dispatch(action, by: dispatch) }
          if racer.hasWon {
            for other in racers.exchange([]) { other.cancel() }
            return false
          }
          racers.withLock { $0.append(racer) }
        }
        let sent = racers.withLock { $0 }
        guard let winner = sent.firstIndex(where: \.hasWon) else { return sent.contains(where: \.isRunning) }
        for (place, racer) in sent.enumerated() where place != winner { racer.cancel() }
        return false
      },
      run: { _, _ in
        let racers = racers.exchange([])
        await withTaskGroup { group in
          for (place, racer) in racers.enumerated() {
            group.addTask {
              await racer.finished()
              return racer.hasWon ? place : nil
            }
          }
          guard let winner = await group.first(where: { $0 != nil }) else { return }
          for (place, racer) in racers.enumerated() where place != winner { racer.cancel() }
        }
      })
    return context.start(self, policy: .every, steps)
  }
}

extension DispatchTask {
  /// Whether all of it is done, and something was.
  fileprivate var hasWon: Bool { !isRunning && (work.arrived == 0 || work.idle < work.arrived) }
}

extension RaceAction: CustomStringConvertible {
  /// The actions in order.
  public var description: String {
    "RaceAction(\(actions.map(ValueDescription.text).joined(separator: ", ")))"
  }
}
