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
  fileprivate let tree: ActionTree

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
  public func _startWork(in context: ActionContext) -> WorkStart? {
    context.start(RaceSteps(self), of: RaceAction.self, .every)
  }
}

/// The steps of a race.
private final class RaceSteps: WorkSteps {
  private let race: RaceAction

  init(_ race: RaceAction) {
    self.race = race
  }

  var action: any Action { race }

  var hasFirstStep: Bool { true }

  func begin(_ work: Work, isWanted: Bool) -> FirstStep {
    var rest = ActionTree.Cursor(race.tree)
    while let action = rest.next(), let racer = work.scope.openRacer() {
      EffectScope.withCurrent(racer) { work.dispatch(action) }
      racer.racerDispatched()
    }
    return work.scope.isRacing && work.scope.count > 0 ? .continues : .ends
  }

  nonisolated(nonsending) func run(_ work: Work) async {
    await work.scope.untilDecided()
  }
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
