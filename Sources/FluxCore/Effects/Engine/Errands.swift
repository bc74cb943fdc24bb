/// The steps that a thread performs after it has released the lock of an engine.
///
/// A cancellation marks all work before the thread performs the first step. Therefore, when the
/// first task is canceled or user code is called, no other work in the cancellation can begin or
/// dispatch.
package struct Errands: Sendable {
  enum Step: Sendable {
    /// Mark work of another store as canceled, because it belongs to canceled work or to a
    /// canceled scope of this store.
    case markElsewhere(EffectScope)
    case cancel(StartedTask)
    /// Report that work was canceled.
    case report(EffectScope)
    /// Resume the task that performs work.
    case proceed(UnsafeContinuation<Void, Never>)
    /// Resume a caller that was waiting.
    case resume(WaitingCaller)
    /// Remove the entry that work has in the scope of another store.
    indirect case leave(EffectTask, isIdle: Bool)
  }

  private var steps = SmallArray<Step>()
  /// The scopes of work that has ended, which must not be released while the lock is held.
  ///
  /// The scopes are not steps, because the end of work often has one scope and one step, for which
  /// no memory is allocated.
  var ended = SmallArray<EffectScope>()

  package init() {}

  @inline(__always)
  package var isEmpty: Bool { steps.isEmpty && ended.isEmpty }

  @inline(__always)
  mutating func append(_ step: Step) {
    steps.append(step)
  }

  mutating func append(_ others: Errands) {
    steps.append(contentsOf: others.steps)
    ended.append(contentsOf: others.ended)
  }

  /// Marks the canceled work of other stores, cancels the tasks, and then performs the other
  /// steps, each in the order in which they were added.
  ///
  /// The caller must not hold a lock.
  package func perform() {
    guard !marksElsewhere else { return withMarksElsewhere.perform() }
    steps.forEach { $0.cancelTask() }
    steps.forEach { $0.perform() }
  }

  private var marksElsewhere: Bool {
    var found = false
    steps.forEach { if case .markElsewhere = $0 { found = true } }
    return found
  }

  /// The steps after the work of other stores is marked, which can mark work of further stores.
  private var withMarksElsewhere: Errands {
    var own = Errands()
    own.ended = ended
    var others = Errands()
    steps.forEach { step in
      guard case .markElsewhere(let work) = step else { return own.append(step) }
      others.append(work.engine.markCancelled(work.node, because: nil))
    }
    own.append(others)
    return own
  }
}

extension Errands.Step {
  fileprivate func cancelTask() {
    if case .cancel(let task) = self { task.cancel() }
  }

  /// Performs the step, unless it cancels a task or marks work of another store.
  fileprivate func perform() {
    switch self {
    case .report(let work): work.engine.report(work.node)
    case .proceed(let continuation): continuation.resume()
    case .resume(let caller): caller.resume(isCancelled: false)
    case .leave(let entry, let isIdle): entry.leave(countingWork: isIdle)
    case .markElsewhere, .cancel: break
    }
  }
}
