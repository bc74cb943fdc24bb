/// The rules that determine when work with one identity runs, when the work waits, and which
/// other work it cancels.
///
/// A lane is a pure value that receives events and returns instructions. A piece of work
/// arrives, can wait for a delay or for earlier work, runs, and finishes. A piece of work can be
/// canceled at any time before it finishes. Handling an event is O(1), plus O(log k) for each of
/// k canceled pieces of work.
package struct WorkLane: Sendable {
  package typealias Number = UInt64

  private enum Phase: Sendable {
    /// The work waits for the delay that debouncing or throttling requires.
    case waiting
    /// The work waits until earlier work has finished.
    case queued
    case running
    /// The result is known. Tasks that the work has started can still be running.
    case settled
  }

  private struct Entry: Sendable {
    let policy: WorkPolicy
    var phase: Phase
  }

  /// The instruction for work that has arrived, or that has waited for the required time.
  package enum Step: Sendable, Hashable {
    case runs
    case waits(until: Duration)
    case queues
    case drops
  }

  /// The instructions that result from an event.
  package struct Response: Sendable, Hashable {
    package var step: Step
    /// The work to cancel, in the order of arrival.
    package var cancels: [Number]

    package init(step: Step, cancels: [Number] = []) {
      self.step = step
      self.cancels = cancels
    }
  }

  /// The work that has not finished and was not canceled.
  private var entries: [Number: Entry] = [:]
  private var waiting: Number?
  /// The pieces of work that wait for earlier work, in the order of arrival.
  ///
  /// Canceled work can remain in the queue, but is no longer contained in `entries`.
  private var queue = ArraySlice<Number>()
  /// The number of running pieces of work.
  private var running = 0
  /// The number of pieces of work whose results are known but that have not ended.
  private var settled = 0
  /// The work that was canceled while it was running, but that has not finished yet.
  private var ending: Set<Number> = []
  /// The time before which throttled work does not begin.
  private var windowEnd = Duration.zero

  package init() {}

  /// Returns whether the lane can be removed, because it contains nothing that affects later
  /// work.
  package func isIdle(at now: Duration) -> Bool { entries.isEmpty && ending.isEmpty && windowEnd <= now }

  // MARK: Events

  /// Records that a piece of work has arrived.
  package mutating func arrived(_ number: Number, _ policy: WorkPolicy, at now: Duration) -> Response {
    switch policy.pace {
    case .atOnce: return begin(number, policy)
    case .debounced(let quiet): return wait(number, policy, until: now + quiet)
    case .throttled(let interval, let latest):
      guard now < windowEnd else {
        // Older work that is still waiting must not resume later and replace this newer work.
        let superseded = cancelWaiting()
        var response = begin(number, policy)
        if response.step != .drops { windowEnd = now + interval }
        response.cancels = superseded + response.cancels
        return response
      }
      return latest ? wait(number, policy, until: windowEnd) : Response(step: .drops)
    }
  }

  /// Records that a piece of work has waited for the required time.
  package mutating func woke(_ number: Number, at now: Duration) -> Response {
    guard let entry = entries[number], entry.phase == .waiting else { return Response(step: .drops) }
    remove(number)
    let response = begin(number, entry.policy)
    if case .throttled(let interval, _) = entry.policy.pace, response.step != .drops {
      windowEnd = max(windowEnd, now + interval)
    }
    return response
  }

  /// Records that a piece of work has ended, or will never begin.
  ///
  /// - Returns: The next piece of work to begin, or `nil` if no work can begin.
  package mutating func finished(_ number: Number) -> Number? {
    remove(number)
    ending.remove(number)
    guard running == 0, settled == 0, ending.isEmpty else { return nil }
    while let next = queue.popFirst() {
      guard entries[next] != nil else { continue }
      entries[next]?.phase = .running
      running += 1
      return next
    }
    return nil
  }

  /// Records that the result of a piece of work is known.
  ///
  /// Settled work does not cause later work to be dropped.
  package mutating func settled(_ number: Number) {
    guard entries[number]?.phase == .running else { return }
    entries[number]?.phase = .settled
    running -= 1
    settled += 1
  }

  /// Records that a piece of work was canceled from outside the lane.
  package mutating func cancelled(_ number: Number) {
    cancel(number)
  }

  /// Cancels all work.
  ///
  /// - Returns: The work to cancel, in the order of arrival.
  package mutating func cancelAll() -> [Number] {
    cancel { _ in true }
  }

  // MARK: Rules

  private mutating func wait(_ number: Number, _ policy: WorkPolicy, until deadline: Duration) -> Response {
    let superseded = cancelWaiting()
    entries[number] = Entry(policy: policy, phase: .waiting)
    waiting = number
    return Response(step: .waits(until: deadline), cancels: superseded)
  }

  private mutating func begin(_ number: Number, _ policy: WorkPolicy) -> Response {
    var response = Response(step: .runs)
    switch policy.overlap {
    case .every: break
    case .latest: response.cancels = cancel { $0.phase != .waiting }
    case .leading:
      // Work with a different policy in the same lane can be waiting for a delay or for earlier
      // work.
      if running > 0 || waiting != nil || isAnyQueued { return Response(step: .drops) }
    case .queue: if running + settled > 0 || !ending.isEmpty || isAnyQueued { response.step = .queues }
    }
    if response.step == .runs {
      entries[number] = Entry(policy: policy, phase: .running)
      running += 1
    } else {
      entries[number] = Entry(policy: policy, phase: .queued)
      // Canceled work is removed only when the queue has more than twice as many elements as
      // there are entries, so that the amortized cost is O(1) for each piece of work.
      if queue.count > 2 * entries.count { queue.removeAll { entries[$0] == nil } }
      queue.append(number)
    }
    return response
  }

  private var isAnyQueued: Bool { entries.count > running + settled + (waiting == nil ? 0 : 1) }

  private mutating func cancelWaiting() -> [Number] {
    guard let waiting else { return [] }
    cancel(waiting)
    return [waiting]
  }

  private mutating func cancel(_ isMeant: (Entry) -> Bool) -> [Number] {
    let meant = entries.filter { isMeant($0.value) }.keys.sorted()
    for number in meant { cancel(number) }
    return meant
  }

  /// Cancels a piece of work.
  ///
  /// The lane tracks running work until the work ends, and removes other work immediately.
  private mutating func cancel(_ number: Number) {
    guard let entry = remove(number), entry.phase == .running || entry.phase == .settled else { return }
    ending.insert(number)
  }

  @discardableResult
  private mutating func remove(_ number: Number) -> Entry? {
    guard let entry = entries.removeValue(forKey: number) else { return nil }
    if entry.phase == .running { running -= 1 }
    if entry.phase == .settled { settled -= 1 }
    if waiting == number { waiting = nil }
    return entry
  }
}
