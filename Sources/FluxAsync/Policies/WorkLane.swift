/// The rules by which pieces of work with one id go on, wait for each other, and end each other.
///
/// Pure: it is told of events, and says what to do. Work arrives, perhaps waits for a time, perhaps waits for its turn, runs
/// and finishes; or it is cancelled on the way. Each event is O(1), and O(log k) for each of k whom it cancels.
package struct WorkLane: Sendable {
  package typealias Number = UInt64

  private enum Phase: Sendable {
    /// Until a time, as its pace says.
    case waiting
    /// Until those before it have finished.
    case queued
    case running
    /// What comes of it is known, and what it has started may go on.
    case settled
  }

  private struct Entry: Sendable {
    let policy: WorkPolicy
    var phase: Phase
  }

  /// What becomes of work that has arrived, or has waited long enough.
  package enum Step: Sendable, Hashable {
    case runs
    case waits(until: Duration)
    case queues
    case drops
  }

  /// What to do after an event.
  package struct Response: Sendable, Hashable {
    package var step: Step
    /// Whom to cancel, in the order in which they came.
    package var cancels: [Number]

    package init(step: Step, cancels: [Number] = []) {
      self.step = step
      self.cancels = cancels
    }
  }

  /// What is on its way and was not cancelled.
  private var entries: [Number: Entry] = [:]
  private var waiting: Number?
  /// Who waits for a turn, in order; those who were cancelled meanwhile are not among the entries any more.
  private var queue = ArraySlice<Number>()
  /// How many run.
  private var running = 0
  /// How many have come to their result, and not to their end.
  private var settled = 0
  /// Who was cancelled while it ran, and has not finished.
  private var ending: Set<Number> = []
  /// Until when throttled work does not begin.
  private var windowEnd = Duration.zero

  package init() {}

  /// Whether the lane holds nothing that must be remembered.
  package func isIdle(at now: Duration) -> Bool { entries.isEmpty && ending.isEmpty && windowEnd <= now }

  // MARK: Events

  /// A piece of work has come.
  package mutating func arrived(_ number: Number, _ policy: WorkPolicy, at now: Duration) -> Response {
    switch policy.pace {
    case .atOnce: return begin(number, policy)
    case .debounced(let quiet): return wait(number, policy, until: now + quiet)
    case .throttled(let interval, let latest):
      guard now < windowEnd else {
        // One that waits, and is late to wake, would take the place of this newer one.
        let superseded = cancelWaiting()
        var response = begin(number, policy)
        if response.step != .drops { windowEnd = now + interval }
        response.cancels = superseded + response.cancels
        return response
      }
      return latest ? wait(number, policy, until: windowEnd) : Response(step: .drops)
    }
  }

  /// A piece of work has waited as long as it was told to.
  package mutating func woke(_ number: Number, at now: Duration) -> Response {
    guard let entry = entries[number], entry.phase == .waiting else { return Response(step: .drops) }
    remove(number)
    let response = begin(number, entry.policy)
    if case .throttled(let interval, _) = entry.policy.pace, response.step != .drops {
      windowEnd = max(windowEnd, now + interval)
    }
    return response
  }

  /// A piece of work has ended, or was never begun.
  ///
  /// - Returns: Whose turn it is now.
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

  /// What comes of a piece of work is known: it stands in the way of no other that would be dropped for it.
  package mutating func settled(_ number: Number) {
    guard entries[number]?.phase == .running else { return }
    entries[number]?.phase = .settled
    running -= 1
    settled += 1
  }

  /// A piece of work was cancelled by somebody else.
  package mutating func cancelled(_ number: Number) {
    cancel(number)
  }

  /// Everything is to be cancelled.
  ///
  /// - Returns: Whom to cancel, in the order in which they came.
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
      // In a lane with other policies, some may wait for their time or turn.
      if running > 0 || waiting != nil || isAnyQueued { return Response(step: .drops) }
    case .queue: if running + settled > 0 || !ending.isEmpty || isAnyQueued { response.step = .queues }
    }
    if response.step == .runs {
      entries[number] = Entry(policy: policy, phase: .running)
      running += 1
    } else {
      entries[number] = Entry(policy: policy, phase: .queued)
      // As many as there are in vain are forgotten, so that it is O(1) for each.
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

  /// One that runs goes on to its end, and any other is forgotten.
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
