public import FluxCore

/// Several actions as one: they are dispatched in order, each when the one before and all that it started is done.
///
/// ```swift
/// store.dispatch(LoadLibrary() + ShowLibrary())
/// store.dispatch(LoadLibrary().then(ShowLibrary()))
/// await store.dispatchAsync(CompositeAction(actions)).finished()
/// ```
///
/// The composite itself is reduced first; a reducer need not handle it. As long as no action has to be waited for, the
/// actions are dispatched before `dispatch` returns, on the same thread. The rest is dispatched from a task. If the work of an
/// action fails, its error is reported as usual, and the next action is dispatched. Cancelling the composite leaves out the
/// actions that have not been dispatched.
///
/// A composite within a composite is flat: its actions are dispatched as actions of the outer one, and it is not dispatched
/// itself. Nesting needs no stack. Joining two composites is O(1), and they share their actions. The idea is SwiftDux's.
public struct CompositeAction: Action {
  /// The actions as they were joined.
  package let tree: ActionTree

  /// The actions that are dispatched, in order: O(n) each time.
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
  public func _startWork(in context: ActionContext) -> (() -> Void)? {
    let rest = Locked(ActionTree.Cursor(tree))
    let dispatch = context.dispatch
    /// Dispatches as long as nothing has to be waited for; returns what has to be.
    @Sendable func dispatchNext(_ work: Work) -> DispatchTask? {
      let attempt = Attempt(of: work)
      while let action = rest.withLock({ $0.next() }) {
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
  public var description: String { actions.map(ValueDescription.text).joined(separator: " + ") }
}

extension CompositeAction: CustomReflectable {
  /// The actions, as the only child.
  public var customMirror: Mirror { Mirror(self, children: ["actions": actions], displayStyle: .struct) }
}

extension Action {
  /// Returns a composite of this action and another, which is dispatched when this one, and all that it started, is done.
  ///
  /// O(1), however many actions the two consist of.
  public func then(_ next: any Action) -> CompositeAction {
    CompositeAction(self, next)
  }

  /// Returns a composite of two actions, as ``then(_:)`` does.
  public static func + (first: Self, second: some Action) -> CompositeAction {
    first.then(second)
  }
}
