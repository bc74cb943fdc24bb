public import FluxCore

/// An action that dispatches several actions one after another.
///
/// Each action is dispatched after the previous action has been reduced and all work of the
/// previous action is done.
///
/// ```swift
/// store.dispatch(LoadLibrary() + ShowLibrary())
/// store.dispatch(LoadLibrary().then(ShowLibrary()))
/// await store.dispatchAsync(CompositeAction(actions)).finished()
/// ```
///
/// The composite itself is reduced before its actions, and a reducer can ignore the composite.
/// The actions up to the first action that starts work are dispatched on the same thread, before
/// `dispatch` returns. All later actions are dispatched from a task. If the work of an action
/// fails, the error is reported as usual, and the next action is dispatched. If the composite is
/// canceled, it dispatches no further actions.
///
/// A composite within a composite is flattened: the outer composite dispatches the actions of
/// the inner composite, and the inner composite itself is not dispatched. Deep nesting does not
/// overflow the stack. Joining two composites is O(1), because the actions are shared. The
/// design of composites comes from SwiftDux.
public struct CompositeAction: Action {
  /// The tree of the actions.
  package let tree: ActionTree

  /// The actions that the composite dispatches, in the order of dispatch.
  ///
  /// Reading the property is O(n) for n actions.
  public var actions: [any Action] { tree.actions }

  /// Creates a composite of actions.
  public init(_ actions: [any Action]) {
    tree = ActionTree(actions) { ($0 as? CompositeAction)?.tree }
  }

  /// Creates a composite of actions.
  public init(_ actions: any Action...) {
    self.init(actions)
  }

  /// Prepares the composite, and returns a closure that dispatches the actions.
  public func _startWork(in context: ActionContext) -> WorkStart? {
    context.start(CompositeSteps(self), of: CompositeAction.self, .every)
  }
}

/// The steps of a composite.
private final class CompositeSteps: WorkSteps {
  private let composite: CompositeAction
  private let rest: Locked<ActionTree.Cursor>
  /// The dispatch of the action that started work most recently.
  private let running = Locked<DispatchTask?>(nil)

  init(_ composite: CompositeAction) {
    self.composite = composite
    rest = Locked(ActionTree.Cursor(composite.tree))
  }

  var action: any Action { composite }

  var hasFirstStep: Bool { true }

  func begin(_ work: Work, isWanted: Bool) -> FirstStep {
    let task = dispatchNext(work)
    _ = running.exchange(task)
    return task == nil ? .ends : .continues
  }

  nonisolated(nonsending) func run(_ work: Work) async {
    var task = running.exchange(nil)
    while let waited = task {
      await waited.finished()
      task = dispatchNext(work)
    }
  }

  /// Dispatches actions until an action starts work, and returns the dispatch of that action.
  private func dispatchNext(_ work: Work) -> DispatchTask? {
    while let action = rest.withLock({ $0.next() }) {
      let task = DispatchTask.gathering(in: work.scope) { work.dispatch(action) }
      if task.isRunning { return task }
    }
    return nil
  }
}

extension CompositeAction: CustomStringConvertible {
  /// The descriptions of the actions, joined by plus signs.
  public var description: String { actions.map(ValueDescription.text).joined(separator: " + ") }
}

extension CompositeAction: CustomReflectable {
  /// A mirror whose only child is the array of actions.
  public var customMirror: Mirror { Mirror(self, children: ["actions": actions], displayStyle: .struct) }
}

extension Action {
  /// Returns a composite of this action and another action.
  ///
  /// The other action is dispatched after this action has been reduced and all work of this
  /// action is done. Joining two actions is O(1), even if both are composites.
  public func then(_ next: any Action) -> CompositeAction {
    CompositeAction(self, next)
  }

  /// Returns a composite of two actions, as ``then(_:)`` does.
  public static func + (first: Self, second: some Action) -> CompositeAction {
    first.then(second)
  }
}
