import FluxCore

/// The state of a piece of work, from the time its action arrives until the work ends.
///
/// The work can be canceled by newer work, by ``CancelWork``, and by the dispatch that the work
/// belongs to. Work is also canceled when the store is released. The cancellation ends the scope
/// of the work, so that actions that the work dispatches later are dropped.
final class Work: Sendable {
  private struct Contents {
    var isCancelled = false
    /// The reason for the cancellation, or `nil` if no reason was given.
    var reason: String?
    /// A Boolean value that indicates whether the closure that begins the work is running.
    var isBeginning = false
    /// A Boolean value that indicates whether the work did nothing or was canceled.
    var isIdle = false
    /// The entry that keeps the work in its parent scope until the work ends.
    var entry: EffectTask?
    /// The closure to call with the reason when the work is canceled.
    var onCancel: (@Sendable (_ reason: String?) -> Void)?
    /// A closure that reports the cancellation, and that is removed before it is called.
    var notice: (@Sendable () -> Void)?
    /// The earlier work that must finish its last dispatch before this work begins.
    var followed: [Work] = []
  }

  /// A weak reference to the lanes that the work is in.
  private struct Lanes: Sendable {
    weak var lanes: WorkLanes?
  }

  let number: WorkLane.Number
  let id: WorkID
  /// The scope of everything that the work starts.
  let scope: EffectScope
  /// A value that becomes `true` when queued work can begin, or `false` if the work will never
  /// begin.
  let turn = OneShot<Bool>()
  /// The scope that the work belongs to.
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

  // MARK: From arrival to end

  /// Adds the work to its parent scope until the work ends, or returns `false` if the parent
  /// scope has ended.
  func enter() -> Bool {
    guard let entry = parent.enter(onCancel: { self.cancel(&$0) }) else { return false }
    contents.withLock { $0.entry = entry }
    return true
  }

  /// Calls the closure that begins the work.
  ///
  /// Newer work on any thread waits until the closure has returned.
  ///
  /// - Returns: The result of the closure, which indicates whether the work continues.
  func begin(_ step: () -> Bool) -> Bool {
    var goesOn = false
    contents.withLock { $0.isBeginning = true }
    scope.whileLoud {
      goesOn = step()
      contents.withLock { $0.isBeginning = false }
    }
    return goesOn
  }

  /// Performs the work in a task.
  func run(_ operation: @escaping @Sendable () async -> Void) {
    let task = Task {
      await operation()
      // The work is done, so a later cancellation is not reported.
      let onCancel = contents.withLock { $0.onCancel.take() }
      withExtendedLifetime(onCancel) {}
    }
    contents.withLock { $0.entry }?.run(task)
  }

  /// Records that the result of the work is known and is about to be dispatched.
  ///
  /// Newer work begins after the result is dispatched.
  func markSettled() {
    lanes.lanes?.settled(self)
    scope.whenQuiet { self.lanes.lanes?.markQuiet(self) }
  }

  /// Records that the work did nothing or was canceled.
  func markIdle() {
    let isFirst = contents.withLock { contents in
      defer { contents.isIdle = true }
      return !contents.isIdle
    }
    if isFirst { parent.count { $0.idle += 1 } }
  }

  /// Removes the work from its parent scope.
  func leave() {
    let (entry, onCancel) = contents.withLock { ($0.entry.take(), $0.onCancel.take()) }
    withExtendedLifetime(onCancel) {}
    if let entry { parent.leave(entry) }
  }

  // MARK: Cancellation

  /// Calls a closure when the work is canceled, or immediately if the work was already
  /// canceled.
  ///
  /// The closure is called on the thread that cancels the work.
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
  ///   - cancellation: The value that collects the operations that complete the cancellation, so
  ///     that they can be performed later.
  ///   - reason: The reason for the cancellation, which is ignored if the work is already
  ///     canceled.
  ///   - thread: The value that an earlier call to `becomeLoud()` returned for this cancellation,
  ///     or `nil` if there was no earlier call.
  func cancel(
    _ cancellation: inout Cancellation, because reason: String? = nil,
    on thread: EffectScope.LoudThread? = nil
  ) {
    // Until the cancellation is reported, this thread counts as a dispatching thread of the
    // scope, so that newer work waits for the report.
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
    scope.whenQuiet { self.lanes.lanes?.markQuiet(self) }
  }

  /// Reports the cancellation, unless it was already reported.
  private func tellEnd() {
    let notice = contents.withLock { $0.notice.take() }
    notice?()
  }

  // MARK: Before the work begins

  /// Cancels the work that this work replaces, and records the earlier work that is still
  /// dispatching actions.
  func follow(_ marked: MarkedWork) {
    marked.cancellation.carryOut()
    // Another thread, or an outer call on this thread, may have marked the work as canceled
    // without having reported the cancellation.
    for other in marked.replaced { other.tellEnd() }
    let loud = (marked.replaced + marked.followed).filter { $0.scope.isLoud }
    contents.withLock { $0.followed += loud }
  }

  /// A Boolean value that indicates whether the work has to wait, because earlier work is
  /// dispatching an action on another thread or is calling its `begin` closure.
  var hasToFollow: Bool { contents.withLock { $0.followed }.contains(where: \.isDispatching) }

  /// A Boolean value that indicates whether the work is dispatching an action on another thread,
  /// or is calling its `begin` closure.
  var isDispatching: Bool { scope.isLoudElsewhere || contents.withLock { $0.isBeginning } }

  /// Waits until the earlier work no longer dispatches actions.
  func othersAreQuiet() async {
    for other in contents.withLock({ $0.followed }) { await other.scope.untilQuiet() }
    let followed = contents.withLock { contents in
      defer { contents.followed = [] }
      return contents.followed
    }
    withExtendedLifetime(followed) {}
  }
}
