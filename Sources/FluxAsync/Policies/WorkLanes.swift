import FluxCore

/// The unfinished work of a store, grouped by identity.
final class WorkLanes: Sendable {
  fileprivate struct Lane {
    var rules = WorkLane()
    var works: [WorkLane.Number: Work] = [:]
    /// The number of each piece of work in the lane, keyed by the identity of the scope of the
    /// work.
    var numbers: [ObjectIdentifier: WorkLane.Number] = [:]
    /// The work that was canceled or has produced a result, but that may still dispatch actions.
    var loud: [WorkLane.Number: Work] = [:]
    /// The work that the rules have canceled, and that a thread is about to mark as canceled.
    ///
    /// ``CancelWork`` also marks this work, because the work must not dispatch actions after the
    /// ``CancelWork`` action is processed.
    var unmarked: [WorkLane.Number: Work] = [:]

    mutating func insert(_ work: Work) {
      works[work.number] = work
      numbers[ObjectIdentifier(work.scope)] = work.number
    }

    mutating func remove(_ work: Work) {
      works[work.number] = nil
      numbers[ObjectIdentifier(work.scope)] = nil
      unmarked[work.number] = nil
    }

    /// Adds the given work, which the rules have canceled, to `loud` and `unmarked`.
    mutating func becomeLoud(_ numbers: [WorkLane.Number]) {
      for number in numbers {
        loud[number] = works[number]
        unmarked[number] = works[number]
      }
    }

    /// Returns the pieces of work in `loud` that have the given numbers.
    ///
    /// The caller cancels the work after the lock is released.
    func toCancel(_ numbers: [WorkLane.Number]) -> [WorkToCancel] {
      numbers.compactMap { loud[$0] }.map { WorkToCancel($0) }
    }

    /// Returns the innermost work of the lane that contains a scope, or `nil` if no work of the
    /// lane contains the scope.
    func work(around scope: EffectScope) -> Work? {
      guard !works.isEmpty else { return nil }
      return scope.andOuter.lazy.compactMap { numbers[ObjectIdentifier($0)] }.first.flatMap { works[$0] }
    }
  }

  fileprivate struct Contents {
    var lanes: [WorkID: Lane] = [:]
    var nextNumber: WorkLane.Number = 0
    /// When the number of lanes reaches this value, the idle lanes are removed.
    var sweepsAt = 64
  }

  private let contents = Locked(Contents())

  /// Records that a piece of work has arrived, and marks the replaced work as canceled.
  ///
  /// - Returns: The new work, its first instruction, and the earlier work that it replaces or
  ///   waits for. The caller must pass the earlier work to ``Work/follow(_:)`` before the new
  ///   work begins.
  func arrived(_ make: (WorkLane.Number) -> Work, _ policy: WorkPolicy, at now: Duration) -> (
    Work, WorkLane.Step, MarkedWork
  ) {
    let (work, response, others) = contents.withLock { contents in
      contents.nextNumber += 1
      let work = make(contents.nextNumber)
      contents.sweep(at: now)
      let response = contents.lanes[work.id, default: Lane()].rules.arrived(work.number, policy, at: now)
      if response.step != .drops { contents.lanes[work.id]?.insert(work) }
      return (work, response, contents.others(before: work, policy, response))
    }
    return (work, response.step, MarkedWork(others))
  }

  /// Records that a piece of work has waited for the required time, and cancels the replaced
  /// work.
  func woke(_ work: Work, _ policy: WorkPolicy, at now: Duration) -> WorkLane.Step {
    let (response, others) = contents.withLock { contents -> (WorkLane.Response, OtherWork) in
      guard let response = contents.lanes[work.id]?.rules.woke(work.number, at: now) else {
        return (WorkLane.Response(step: .drops), OtherWork())
      }
      return (response, contents.others(before: work, policy, response))
    }
    work.follow(MarkedWork(others))
    return response.step
  }

  /// Records that a piece of work has ended, and begins the next work.
  func finished(_ work: Work) {
    let next = contents.withLock { contents -> Work? in
      contents.lanes[work.id]?.remove(work)
      guard let next = contents.lanes[work.id]?.rules.finished(work.number) else { return nil }
      return contents.lanes[work.id]?.works[next]
    }
    next?.turn.fire(true)
  }

  /// Records that a piece of work was canceled.
  func cancelled(_ work: Work) {
    contents.withLock { contents in
      contents.lanes[work.id]?.rules.cancelled(work.number)
      contents.lanes[work.id]?.loud[work.number] = work
      contents.lanes[work.id]?.unmarked[work.number] = nil
    }
  }

  /// Records that the result of a piece of work is known, and is about to be dispatched.
  func settled(_ work: Work) {
    contents.withLock { contents in
      contents.lanes[work.id]?.rules.settled(work.number)
      contents.lanes[work.id]?.loud[work.number] = work
    }
  }

  /// Records that canceled or settled work no longer dispatches actions.
  func markQuiet(_ work: Work) {
    // The work is released outside the lock.
    _ = contents.withLock { $0.lanes[work.id]?.loud.removeValue(forKey: work.number) }
  }

  /// Returns the parent scope for new work that is started in the given scope.
  ///
  /// If work of the same lane starts the new work, both belong to the same parent scope. If the
  /// new work belonged to the work that starts it, the two pieces of work could wait for each
  /// other or cancel each other.
  func parent(of id: WorkID, startedIn scope: EffectScope) -> EffectScope {
    contents.withLock { contents in
      var parent = scope
      while let outer = contents.lanes[id]?.work(around: parent) { parent = outer.parent }
      return parent
    }
  }

  /// Marks all work that matches a subject as canceled, so that later actions of the work are
  /// dropped.
  ///
  /// - Returns: The operations that complete the cancellation by canceling tasks and rejecting
  ///   requests.
  func markCancelled(_ subject: CancelWork.Subject, because reason: String?) -> Cancellation {
    let cancelled = contents.withLock { contents -> [WorkToCancel] in
      let ids =
        switch subject {
        case .id(let id): [id]
        case .type(let type): contents.lanes.keys.filter { $0.isOf(type) }
        case .all: Array(contents.lanes.keys)
        }
      return ids.flatMap { contents.cancelAll(in: $0) }.sorted { $0.work.number < $1.work.number }
    }
    var cancellation = Cancellation()
    for other in cancelled { other.work.cancel(&cancellation, because: reason, on: other.thread) }
    return cancellation
  }
}

extension WorkLanes.Contents {
  fileprivate mutating func cancelAll(in id: WorkID) -> [WorkToCancel] {
    guard let unmarked = lanes[id]?.unmarked, let numbers = lanes[id]?.rules.cancelAll() else { return [] }
    lanes[id]?.becomeLoud(numbers)
    return (lanes[id]?.toCancel(numbers) ?? []) + unmarked.values.map { WorkToCancel($0) }
  }

  /// Returns the earlier work that a piece of work replaces or waits for.
  ///
  /// A piece of work waits for earlier work that was canceled or has a result, but that may
  /// still be dispatching actions.
  fileprivate mutating func others(
    before work: Work, _ policy: WorkPolicy, _ response: WorkLane.Response
  ) -> OtherWork {
    lanes[work.id]?.becomeLoud(response.cancels)
    guard let lane = lanes[work.id] else { return OtherWork() }
    switch policy.overlap {
    case .latest where response.step == .runs:
      return OtherWork(replaced: lane.toCancel(lane.loud.keys.sorted()))
    case .leading where response.step == .runs:
      return OtherWork(
        replaced: lane.toCancel(response.cancels), followed: lane.loud.values.sorted { $0.number < $1.number }
      )
    case .latest, .leading, .every, .queue: return OtherWork(replaced: lane.toCancel(response.cancels))
    }
  }

  /// Removes idle lanes occasionally, so that the amortized cost is O(1) for each action that
  /// arrives.
  fileprivate mutating func sweep(at now: Duration) {
    guard lanes.count >= sweepsAt else { return }
    lanes = lanes.filter { !$0.value.rules.isIdle(at: now) || !$0.value.loud.isEmpty }
    sweepsAt = max(64, 2 * lanes.count)
  }
}

/// Work that the rules of its lane have canceled, and that is about to be marked as canceled.
///
/// While the lock is held, the lane removes the work, and the current thread is registered as a
/// dispatching thread of the scope of the work. Newer work therefore waits for the canceled work
/// to end, even if the newer work arrives before the canceled work is marked.
struct WorkToCancel: Sendable {
  let work: Work
  /// A value that keeps newer work waiting until the cancellation is reported.
  let thread: EffectScope.LoudThread

  init(_ work: Work) {
    self.work = work
    thread = work.scope.becomeLoud()
  }
}

/// The earlier work that a piece of new work replaces or waits for.
struct OtherWork: Sendable {
  /// The earlier work that the new work cancels.
  var replaced: [WorkToCancel] = []
  /// The earlier work that may still be dispatching its last action.
  ///
  /// The new work begins after the earlier work's last action is reduced.
  var followed: [Work] = []
}

/// The earlier work that a piece of new work replaces or waits for, with the replaced work
/// marked as canceled.
struct MarkedWork: Sendable {
  let replaced: [Work]
  let followed: [Work]
  /// The operations that complete the cancellation of the replaced work.
  let cancellation: Cancellation

  init(_ others: OtherWork) {
    var cancellation = Cancellation()
    for other in others.replaced {
      other.work.cancel(&cancellation, because: "replaced by newer work", on: other.thread)
    }
    replaced = others.replaced.map(\.work)
    followed = others.followed
    self.cancellation = cancellation
  }

  /// A Boolean value that indicates whether any earlier work is dispatching an action on another
  /// thread, or is calling its `begin` closure.
  var isDispatching: Bool { (replaced + followed).contains(where: \.isDispatching) }
}

extension ActionContext {
  /// The lanes that contain the store's unfinished work.
  var lanes: WorkLanes { attachment(WorkLanes.self) { WorkLanes() } }
}
