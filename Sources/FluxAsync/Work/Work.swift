import FluxCore

/// A piece of work that an action carries, from its arrival to its end.
///
/// Whoever cancels it, be it a newer one, ``CancelWork``, the dispatch it belongs to, or the end of the store, does so by
/// ``cancel()``: from then on what the work dispatches goes nowhere.
final class Work: Sendable {
  private struct Contents {
    var isCancelled = false
    var task: EffectTask?
    /// What is to be done at once when it is cancelled.
    var onCancel: (@Sendable () -> Void)?
    /// How many of its dispatches are running.
    var dispatching = 0
    /// Those who wait until none is.
    var waiting: [OneShot<Void>] = []
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
  func onCancel(_ act: @escaping @Sendable () -> Void) {
    let isCancelled = contents.withLock { contents in
      if !contents.isCancelled { contents.onCancel = act }
      return contents.isCancelled
    }
    if isCancelled { act() }
  }

  func cancel() {
    let (isFirst, task, onCancel) = contents.withLock { contents in
      defer { contents.isCancelled = true }
      return (!contents.isCancelled, contents.task, contents.onCancel.take())
    }
    guard isFirst else { return }
    lanes.lanes?.cancelled(self)
    // Loud: a newer one waits until what it tells now is reduced.
    whileLoud { onCancel?() }
    turn.fire(false)
    scope.end()
    task?.cancel()
  }

  /// Lets go of what is only needed until the work has ended.
  func ended() {
    let (task, onCancel) = contents.withLock { ($0.task.take(), $0.onCancel.take()) }
    withExtendedLifetime((task, onCancel)) {}
  }

  // MARK: Dispatching

  /// Dispatches for a try of the work, unless that is over or the work was cancelled.
  func dispatch(_ action: any Action, for attempt: Attempt, by dispatch: DispatchFunction) {
    let mayDispatch = contents.withLock { contents in
      guard !contents.isCancelled, !attempt.isOver, !scope.hasEnded else { return false }
      contents.dispatching += 1
      return true
    }
    guard mayDispatch else { return }
    scope.gather { dispatch(action) }
    finishDispatching()
  }

  /// Does something that dispatches although the work may have been cancelled, and that a newer one has to wait for.
  func whileLoud(_ act: () -> Void) {
    contents.withLock { $0.dispatching += 1 }
    act()
    finishDispatching()
  }

  private func finishDispatching() {
    let waiting = contents.withLock { contents -> [OneShot<Void>] in
      contents.dispatching -= 1
      guard contents.dispatching == 0 else { return [] }
      defer { contents.waiting = [] }
      return contents.waiting
    }
    for waiter in waiting { waiter.fire(()) }
  }

  /// Cancels other work for this one, and notes what of its lane was cancelled and is still dispatching.
  func replaces(_ cancelled: [Work], following others: [Work]) {
    for other in cancelled { other.cancel() }
    let loud = others.filter { other in other.contents.withLock { $0.isCancelled && $0.dispatching > 0 } }
    contents.withLock { $0.followed += loud }
  }

  /// Waits until nothing that was cancelled for this work dispatches any more.
  func othersAreQuiet() async {
    for other in contents.withLock({ $0.followed }) { await other.isQuiet() }
    let followed = contents.withLock { contents in
      defer { contents.followed = [] }
      return contents.followed
    }
    withExtendedLifetime(followed) {}
  }

  private func isQuiet() async {
    let waiter = contents.withLock { contents -> OneShot<Void>? in
      guard contents.dispatching > 0 else { return nil }
      let waiter = OneShot<Void>()
      contents.waiting.append(waiter)
      return waiter
    }
    await waiter?.wait()
  }
}

/// One try of a piece of work.
final class Attempt: Sendable {
  private let hasEnded = Locked(false)

  var isOver: Bool { hasEnded.withLock { $0 } }

  /// What it dispatches from now on goes nowhere.
  func end() {
    _ = hasEnded.exchange(true)
  }
}
