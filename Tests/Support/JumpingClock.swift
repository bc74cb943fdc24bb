/// A clock that a test sets forward and back, like a wall clock.
///
/// A sleeping task wakes when the clock shows its time.
package final class JumpingClock: Clock, Sendable {
  package struct Instant: InstantProtocol {
    package let offset: Duration

    package func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

    package func duration(to other: Instant) -> Duration { other.offset - offset }

    package static func < (first: Instant, second: Instant) -> Bool { first.offset < second.offset }
  }

  private struct Sleeper: Sendable {
    let deadline: Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct Contents: Sendable {
    var now = Instant(offset: .zero)
    var count = 0
    var sleepers: [Int: Sleeper] = [:]
  }

  private let contents = Shared(Contents())
  /// The deadline of each sleep that has begun.
  package let naps = EventLog<Instant>()

  package init() {}

  package var now: Instant { contents.value.now }
  package var minimumResolution: Duration { .zero }

  /// Sets the clock, whatever it showed before.
  package func set(to offset: Duration) {
    let woken = contents.change { contents in
      contents.now = Instant(offset: offset)
      let woken = contents.sleepers.filter { $0.value.deadline <= contents.now }
      for id in woken.keys { contents.sleepers[id] = nil }
      return woken.values.sorted { $0.deadline < $1.deadline }
    }
    for sleeper in woken { sleeper.continuation.resume() }
  }

  package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let id = contents.change { contents in
      contents.count += 1
      return contents.count
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isOver = contents.change { contents in
          if Task.isCancelled || deadline <= contents.now { return true }
          contents.sleepers[id] = Sleeper(deadline: deadline, continuation: continuation)
          return false
        }
        naps.record(deadline)
        if isOver { continuation.resume() }
      }
      try Task.checkCancellation()
    } onCancel: {
      let sleeper = contents.change { $0.sleepers.removeValue(forKey: id) }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }
}
