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
    /// Whether its first step is being taken.
    var isBeginning = false
    /// Whether it is counted as having done nothing.
    var isIdle = false
    /// What it is in its parent, from its arrival to its end.
    var entry: EffectTask?
    /// What is to be done when it is cancelled, with the reason.
    var onCancel: (@Sendable (_ reason: String?) -> Void)?
    /// Tells that it was cancelled, unless somebody has.
    var notice: (@Sendable () -> Void)?
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

  // MARK: From its arrival to its end

  /// Notes it in what it belongs to, until it ends; returns false when that is over.
  func enter() -> Bool {
    guard let entry = parent.enter(onCancel: { self.cancel(&$0) }) else { return false }
    contents.withLock { $0.entry = entry }
    return true
  }

  /// Takes the first step, which a newer one waits for, whichever thread that is on.
  ///
  /// - Returns: What the step returns: whether to go on.
  func begin(_ step: () -> Bool) -> Bool {
    var goesOn = false
    contents.withLock { $0.isBeginning = true }
    scope.whileLoud {
      goesOn = step()
      contents.withLock { $0.isBeginning = false }
    }
    return goesOn
  }

  /// Does the work in a task.
  func run(_ operation: @escaping @Sendable () async -> Void) {
    let task = Task {
      await operation()
      // It is done, and has nothing to tell.
      let onCancel = contents.withLock { $0.onCancel.take() }
      withExtendedLifetime(onCancel) {}
    }
    contents.withLock { $0.entry }?.run(task)
  }

  /// Notes that what comes of it is known, and is about to be dispatched: other work begins after that.
  func isSettled() {
    lanes.lanes?.settled(self)
    scope.whenQuiet { self.lanes.lanes?.isQuiet(self) }
  }

  /// Notes that it ends without having done anything, or was cancelled.
  func isIdle() {
    let isFirst = contents.withLock { contents in
      defer { contents.isIdle = true }
      return !contents.isIdle
    }
    if isFirst { parent.count { $0.idle += 1 } }
  }

  /// Is no part any more of what it belongs to.
  func leave() {
    let (entry, onCancel) = contents.withLock { ($0.entry.take(), $0.onCancel.take()) }
    withExtendedLifetime(onCancel) {}
    if let entry { parent.leave(entry) }
  }

  // MARK: Cancelling

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

  /// Marks the work, and all work that it has started, as canceled.
  ///
  /// - Parameters:
  ///   - cancellation: The larger cancellation, which carries out the rest.
  ///   - reason: The reason, unless the work is canceled already.
  ///   - thread: This thread, if the scope is already loud on it for this cancellation.
  func cancel(
    _ cancellation: inout Cancellation, because reason: String? = nil,
    on thread: EffectScope.LoudThread? = nil
  ) {
    // The scope is loud until the end of the work is dispatched: newer work waits for the end.
    let thread = thread ?? scope.becomeLoud()
    let (isFirst, entry) = contents.withLock { contents in
      let isFirst = !contents.isCancelled
      if isFirst {
        contents.isCancelled = true
        contents.reason = reason
        contents.notice = { [onCancel = contents.onCancel.take()] in thread.run { onCancel?(reason) } }
      }
      return (isFirst, contents.entry)
    }
    guard isFirst else {
      scope.end(&cancellation)
      return thread.run {}
    }
    lanes.lanes?.cancelled(self)
    cancellation.tell {
      self.turn.fire(false)
      self.tellEnd()
    }
    scope.end(&cancellation)
    entry?.cancel(&cancellation)
    scope.whenQuiet { self.lanes.lanes?.isQuiet(self) }
  }

  /// Tells that it was cancelled, unless that is told already.
  private func tellEnd() {
    let notice = contents.withLock { $0.notice.take() }
    notice?()
  }

  // MARK: Before it begins

  /// Carries out the cancellation of the work that this work replaces, and notes which work is still dispatching.
  func follow(_ marked: MarkedWork) {
    marked.cancellation.carryOut()
    // Work that another thread, or this thread further out, has marked as cancelled, and whose end it has not dispatched.
    for other in marked.replaced { other.tellEnd() }
    let loud = (marked.replaced + marked.followed).filter { $0.scope.isLoud }
    contents.withLock { $0.followed += loud }
  }

  /// Whether it has to wait, since what comes before it is still dispatching on another thread, or just beginning.
  var hasToFollow: Bool { contents.withLock { $0.followed }.contains(where: \.isDispatching) }

  /// A Boolean value that indicates whether the work dispatches on another thread, or is just beginning.
  var isDispatching: Bool { scope.isLoudElsewhere || contents.withLock { $0.isBeginning } }

  /// Waits until nothing that comes before this work dispatches any more.
  func othersAreQuiet() async {
    for other in contents.withLock({ $0.followed }) { await other.scope.untilQuiet() }
    let followed = contents.withLock { contents in
      defer { contents.followed = [] }
      return contents.followed
    }
    withExtendedLifetime(followed) {}
  }
}
