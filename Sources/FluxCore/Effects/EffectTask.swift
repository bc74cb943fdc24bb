/// An entry that a scope waits for and can cancel.
///
/// The entry for a task is added to the scope before the task is created, and therefore before
/// the task can finish or be canceled. An entry can temporarily have no task.
package struct EffectTask: Sendable {
  private let engine: WorkEngine
  private let node: WorkStateMachine.NodeID
  /// The scope, or `nil` if the scope is the scope of a store, which its tasks do not retain.
  let scope: EffectScope?
  /// The entry in the scope of another store, or an empty array.
  private let elsewhere: [EffectTask]

  /// Adds an entry to a scope, or returns `nil` if the scope has ended.
  init?(in scope: EffectScope) {
    guard let node = scope.engine.startTask(in: scope.node) else { return nil }
    if let other = scope.elsewhere {
      guard let entry = EffectTask(in: other) else {
        scope.engine.finishTask(node)
        return nil
      }
      elsewhere = [entry]
    } else {
      elsewhere = []
    }
    engine = scope.engine
    self.node = node
    self.scope = scope.isOfStore ? nil : scope
  }

  /// Stores the task, and cancels the task immediately if the entry was canceled.
  package func run(_ task: StartedTask) {
    engine.setTask(task, of: node)
    for entry in elsewhere { entry.run(task) }
  }

  /// Makes the cancellation of this entry also cancel the task of another entry.
  package func run(_ other: EffectTask) {
    if let task = other.engine.task(of: other.node) { run(task) }
  }

  /// Makes this entry represent work of another store.
  func represent(_ work: EffectScope) -> Errands { engine.represent(work, by: node) }

  /// Cancels the task.
  package func cancel() {
    engine.cancelTask(node)
  }

  /// Removes the entry, first from its own scope and then from the scope of another store.
  package func leave() {
    engine.finishTask(node)
    for entry in elsewhere { entry.leave() }
  }

  /// Removes an entry that represents work of another store, and counts the work.
  func leave(countingWork isIdle: Bool) {
    if let scope { engine.countArrival(in: scope.node, isIdle: isIdle) }
    leave()
  }
}
