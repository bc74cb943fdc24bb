import FluxInspector

/// A clock on which tasks sleep until the test gives a turn, whatever their deadline.
///
/// If no task is asleep, the next sleep returns immediately, so no test depends on the order of
/// the two calls.
final class TurnClock: Clock, Sendable {
  struct Instant: InstantProtocol {
    let offset: Duration

    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (first: Instant, second: Instant) -> Bool { first.offset < second.offset }
  }

  private struct Contents {
    var turns = 0
    var nextID = 0
    var sleepers: [Int: CheckedContinuation<Void, any Error>] = [:]
    var cancelled: Set<Int> = []
  }

  private let contents = Locked(Contents())

  var now: Instant { Instant(offset: .zero) }
  var minimumResolution: Duration { .zero }

  /// Wakes one sleeping task.
  func turn() {
    let sleeper = contents.withLock { contents -> CheckedContinuation<Void, any Error>? in
      guard let id = contents.sleepers.keys.min() else {
        contents.turns += 1
        return nil
      }
      return contents.sleepers.removeValue(forKey: id)
    }
    sleeper?.resume()
  }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let id = contents.withLock { contents in
      contents.nextID += 1
      return contents.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result = contents.withLock { contents -> Result<Void, any Error>? in
          if contents.cancelled.remove(id) != nil { return .failure(CancellationError()) }
          if contents.turns > 0 {
            contents.turns -= 1
            return .success(())
          }
          contents.sleepers[id] = continuation
          return nil
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      let sleeper = contents.withLock { contents in
        let sleeper = contents.sleepers.removeValue(forKey: id)
        if sleeper == nil { contents.cancelled.insert(id) }
        return sleeper
      }
      sleeper?.resume(throwing: CancellationError())
    }
  }
}
