import FluxCore

/// A piece of work that an action carries, from its arrival to its end.
///
/// Whoever cancels it, be it a newer one, ``CancelWork``, the dispatch it belongs to, or the end of the store, ends its scope
/// by that: from then on what the work dispatches goes nowhere.
final class Work: Sendable {
  private struct Contents {
    var isCancelled = false
    /// Why it was cancelled, if somebody has said.
    var reason: String?
    var task: EffectTask?
    /// What is to be done when it is cancelled, with the reason.
    var onCancel: (@Sendable (_ reason: String?) -> Void)?
    /// The work whose last dispatches have to be over before this begins.
    var followed: [Work] = []
  }

  /// Where it is known, weakly.
  private struct Lanes: Sendable {
    weak var lanes: WorkLanes?
  }

  let number: WorkLane.Number
  let id: WorkID
  /// What the work starts.
  let scope: EffectScope
  /// Comes when it is its turn, with false when it never will be.
  let turn = OneShot<Bool>()
  /// What it belongs to.
  let parent: EffectScope
  private let lanes: Lanes
  private let contents = Locked(Contents())

  init(_ number: WorkLane.Number, _ id: WorkID, within parent: EffectScope, in lanes: WorkLanes) {
    self.number = number
    self.id = id
    self.parent = parent
    self.lanes = Lanes(lanes: lanes)
    scope = EffectScope(within: parent)
  }

  var isCancelled: Bool { contents.withLock { $0.isCancelled } }

  // MARK: Cancelling

  /// Notes the task that does the work, which ends with it.
  func runs(in task: EffectTask) {
    let isCancelled = contents.withLock { contents in
      contents.task = task
      return contents.isCancelled
    }
    if isCancelled { task.cancel() }
  }

  /// Does something when the work is cancelled, on the thread that cancels; at once if it has been.
  func onCancel(_ act: @escaping @Sendable (_ reason: String?) -> Void) {
    let (isCancelled, reason) = contents.withLock { contents in
      if !contents.isCancelled { contents.onCancel = act }
      return (contents.isCancelled, contents.reason)
    }
    if isCancelled { act(reason) }
  }

  func cancel(because reason: String? = nil) {
    var cancellation = Cancellation()
    cancel(&cancellation, because: reason)
    cancellation.carryOut()
  }

  /// Marks it as cancelled, with all that it has started.
  func cancel(_ cancellation: inout Cancellation, because reason: String? = nil) {
    let (isFirst, task, onCancel) = contents.withLock { contents in
      defer { contents.isCancelled = true }
      if !contents.isCancelled { contents.reason = reason }
      return (!contents.isCancelled, contents.task, contents.onCancel.take())
    }
    guard isFirst else { return }
    lanes.lanes?.cancelled(self)
    cancellation.tell { [turn] in turn.fire(false) }
    if let onCancel {
      // Loud from now on: a newer one waits until what it tells is reduced.
      let thread = scope.becomeLoud()
      cancellation.tell { thread.run { onCancel(reason) } }
    }
    scope.end(&cancellation)
    task?.cancel(&cancellation)
  }

  /// Notes that it ends without having begun.
  func neverBegan() {
    parent.count { $0.idle += 1 }
  }

  /// Lets go of what is only needed until the work has ended.
  func ended() {
    let (task, onCancel) = contents.withLock { ($0.task.take(), $0.onCancel.take()) }
    withExtendedLifetime((task, onCancel)) {}
  }

  // MARK: Before it begins

  /// Cancels other work for this one, and notes what of its lane was cancelled and is still dispatching.
  func replaces(_ cancelled: [Work], following others: [Work]) {
    var cancellation = Cancellation()
    for other in cancelled { other.cancel(&cancellation, because: "replaced by a newer one") }
    cancellation.carryOut()
    let loud = others.filter { $0.isCancelled && $0.scope.isLoud }
    contents.withLock { $0.followed += loud }
  }

  /// Whether another thread is still dispatching for what was cancelled for this work.
  var hasToFollow: Bool {
    contents.withLock { $0.followed }.contains { $0.scope.isLoudElsewhere }
  }

  /// Waits until nothing that was cancelled for this work dispatches any more.
  func othersAreQuiet() async {
    for other in contents.withLock({ $0.followed }) { await other.scope.untilQuiet() }
    let followed = contents.withLock { contents in
      defer { contents.followed = [] }
      return contents.followed
    }
    withExtendedLifetime(followed) {}
  }
}
