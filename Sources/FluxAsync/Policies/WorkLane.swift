/// The rules by which pieces of work with one id go on, wait for each other, and end each other.
///
/// Pure: it is told of events, and says what to do. Work arrives, perhaps waits for a time, perhaps waits for its turn, runs
/// and finishes; or it is cancelled on the way.
package struct WorkLane: Sendable {
  package typealias Number = UInt64

  private enum Phase: Sendable {
    /// Until a time, as its pace says.
    case waiting
    /// Until those before it have finished.
    case queued
    case running
    /// It was cancelled while it ran, and has not finished.
    case ending
  }

  private struct Entry: Sendable {
    let number: Number
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

  private var entries: [Entry] = []
  /// Until when throttled work does not begin.
  private var windowEnd = Duration.zero

  package init() {}

  /// Whether the lane holds nothing that must be remembered.
  package func isIdle(at now: Duration) -> Bool { entries.isEmpty && windowEnd <= now }

  // MARK: Events

  /// A piece of work has come.
  package mutating func arrived(_ number: Number, _ policy: WorkPolicy, at now: Duration) -> Response {
    switch policy.pace {
    case .atOnce: return begin(number, policy)
    case .debounced(let quiet): return wait(number, policy, until: now + quiet)
    case .throttled(let interval, let latest):
      guard now < windowEnd else {
        // One that waits, and is late to wake, would take the place of this newer one.
        let superseded = cancel { $0.phase == .waiting }
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
    guard let index = entries.firstIndex(where: { $0.number == number && $0.phase == .waiting }) else {
      return Response(step: .drops)
    }
    let policy = entries.remove(at: index).policy
    if case .throttled(let interval, _) = policy.pace { windowEnd = max(windowEnd, now + interval) }
    return begin(number, policy)
  }

  /// A piece of work has ended, or was never begun.
  ///
  /// - Returns: Whose turn it is now.
  package mutating func finished(_ number: Number) -> Number? {
    entries.removeAll { $0.number == number }
    let isBusy = entries.contains { $0.phase == .running || $0.phase == .ending }
    guard !isBusy, let next = entries.firstIndex(where: { $0.phase == .queued }) else { return nil }
    entries[next].phase = .running
    return entries[next].number
  }

  /// A piece of work was cancelled by somebody else.
  package mutating func cancelled(_ number: Number) {
    _ = cancel { $0.number == number }
  }

  /// Everything is to be cancelled.
  ///
  /// - Returns: Whom to cancel, in the order in which they came.
  package mutating func cancelAll() -> [Number] {
    cancel { _ in true }
  }

  // MARK: Rules

  private mutating func wait(_ number: Number, _ policy: WorkPolicy, until deadline: Duration) -> Response {
    let superseded = cancel { $0.phase == .waiting }
    entries.append(Entry(number: number, policy: policy, phase: .waiting))
    return Response(step: .waits(until: deadline), cancels: superseded)
  }

  private mutating func begin(_ number: Number, _ policy: WorkPolicy) -> Response {
    var response = Response(step: .runs)
    switch policy.overlap {
    case .every: break
    case .latest: response.cancels = cancel { $0.phase == .running || $0.phase == .queued }
    case .leading: if entries.contains(where: { $0.phase == .running }) { return Response(step: .drops) }
    case .queue:
      if entries.contains(where: { $0.phase != .waiting }) { response.step = .queues }
    }
    entries.append(Entry(number: number, policy: policy, phase: response.step == .runs ? .running : .queued))
    return response
  }

  /// Those that run go on to their end, and the others are forgotten.
  private mutating func cancel(_ isMeant: (Entry) -> Bool) -> [Number] {
    let meant = entries.filter { $0.phase != .ending && isMeant($0) }.map(\.number)
    for number in meant {
      guard let index = entries.firstIndex(where: { $0.number == number }) else { continue }
      if entries[index].phase == .running {
        entries[index].phase = .ending
      } else {
        entries.remove(at: index)
      }
    }
    return meant
  }
}
