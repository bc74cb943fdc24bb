/// The steps that a thread performs after it has released the lock of an engine.
///
/// A cancellation marks all work before the thread performs the first step. Therefore, when the
/// first task is canceled or user code is called, no other work in the cancellation can begin or
/// dispatch.
package struct Errands: Sendable {
  enum Step: Sendable {
    /// Report that work was canceled.
    case report(EffectScope)
    /// Resume the task that performs work.
    case proceed(UnsafeContinuation<Void, Never>)
    /// Resume a caller that was waiting.
    case resume(WaitingCaller)
    /// Remove the entry that work has in the scope of another store.
    indirect case leave(EffectTask, isIdle: Bool)
  }

  var tasks = SmallArray<Task<Void, Never>>()
  /// The scopes of work in other stores that belongs to canceled work or scopes of this store.
  var elsewhere = SmallArray<EffectScope>()
  var steps = SmallArray<Step>()
  /// The scopes of work that has ended, which must not be released while the lock is held.
  var ended = SmallArray<EffectScope>()

  @inline(__always)
  package var isEmpty: Bool {
    tasks.isEmpty && elsewhere.isEmpty && steps.isEmpty && ended.isEmpty
  }

  mutating func append(_ others: Errands) {
    tasks.append(contentsOf: others.tasks)
    elsewhere.append(contentsOf: others.elsewhere)
    steps.append(contentsOf: others.steps)
    ended.append(contentsOf: others.ended)
  }

  /// Marks the canceled work of other stores, cancels the tasks, and then performs the other
  /// steps, each in the order in which they were added.
  ///
  /// The caller must not hold a lock.
  package func perform() {
    guard elsewhere.isEmpty else { return withMarksElsewhere.perform() }
    tasks.forEach { $0.cancel() }
    steps.forEach { step in
      switch step {
      case .report(let work): work.engine.report(work.node)
      case .proceed(let continuation): continuation.resume()
      case .resume(let caller): caller.resume(isCancelled: false)
      case .leave(let entry, let isIdle): entry.leave(countingWork: isIdle)
      }
    }
  }

  private var withMarksElsewhere: Errands {
    var all = self
    all.elsewhere = SmallArray()
    elsewhere.forEach { all.append($0.engine.markCancelled($0.node, because: nil)) }
    return all
  }
}
