public import FluxCore

/// An action that dispatches several competing actions.
///
/// As soon as one of the actions is done, the work of the other actions is canceled.
///
/// ```swift
/// store.dispatch(RaceAction(LoadFromServer(), LoadFromCache()))
/// ```
///
/// After the race itself is reduced, its actions are dispatched one after another on the same
/// thread, before `dispatch` returns. An action is done when all work that it started is done,
/// even if the work failed. An action that starts no work is done immediately, and the actions
/// after it are not dispatched.
///
/// An action cannot win if its policy drops it, if it is a request that is not wanted, or if it
/// is canceled. An ``AsyncAction`` cannot win, because the store cannot determine when its
/// callbacks are done. If no remaining action can win, the race ends without a winner. The
/// design of races comes from Redux-Saga.
///
/// A race within a race is flattened: the actions of the inner race compete in the outer race,
/// and the inner race itself is not dispatched. Deep nesting does not overflow the stack.
public struct RaceAction: Action {
  /// The tree of the actions.
  private let tree: ActionTree

  /// The competing actions, in the order of dispatch.
  ///
  /// Reading the property is O(n) for n actions.
  public var actions: [any Action] { tree.actions }

  /// Creates a race of actions.
  public init(_ actions: [any Action]) {
    tree = ActionTree(actions) { ($0 as? RaceAction)?.tree }
  }

  /// Creates a race of actions.
  public init(_ actions: any Action...) {
    self.init(actions)
  }

  /// Prepares the race, and returns a closure that dispatches the actions.
  public func _startWork(in context: ActionContext) -> (() -> Void)? {
    let dispatch = context.dispatch
    let racers = Locked<[DispatchTask]>([])
    let steps = WorkSteps(
      begin: { work, _ in
        let attempt = Attempt(of: work)
        var rest = ActionTree.Cursor(tree)
        while let action = rest.next() {
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
  /// A Boolean value that indicates whether the dispatch has won the race.
  ///
  /// A dispatch wins when all its work is done, and at least one piece of the work was not idle.
  /// Idle work did nothing, was canceled, or cannot be observed. A dispatch that started no work
  /// also wins.
  fileprivate var hasWon: Bool { !isRunning && (work.arrived == 0 || work.idle < work.arrived) }
}

extension RaceAction: CustomStringConvertible {
  /// The descriptions of the actions, separated by commas.
  public var description: String {
    "RaceAction(\(actions.map(ValueDescription.text).joined(separator: ", ")))"
  }
}

extension RaceAction: CustomReflectable {
  /// A mirror whose only child is the array of actions.
  public var customMirror: Mirror { Mirror(self, children: ["actions": actions], displayStyle: .struct) }
}
