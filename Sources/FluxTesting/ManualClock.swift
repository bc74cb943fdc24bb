import FluxCore

/// A clock on which time passes only when it is told to.
///
/// ```swift
/// let clock = ManualClock()
/// let store = Store(reducer: appReducer, middleware: [debounceActions(of: Search.self, for: .seconds(1), clock: clock)], …)
/// store.dispatch(Search("flux"))
/// clock.advance(by: .seconds(1))
/// ```
///
/// Who sleeps on it is woken by ``advance(by:)``, in the order of the deadlines. To be woken is to be resumed: what a
/// task then does, it does when it gets to run, and a test waits for that by other means. Safe from any thread.
public final class ManualClock: Clock, Sendable {
  /// A point in a manual clock's time.
  public struct Instant: InstantProtocol {
    /// The time since the clock was made.
    public let offset: Duration

    /// Creates an instant so long after the clock was made.
    public init(offset: Duration = .zero) {
      self.offset = offset
    }

    /// The instant a duration later.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

    /// How long after this instant another is.
    public func duration(to other: Instant) -> Duration { other.offset - offset }

    /// Whether an instant is earlier than another.
    public static func < (first: Instant, second: Instant) -> Bool { first.offset < second.offset }
  }

  fileprivate struct Sleeper {
    let deadline: Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  fileprivate struct Waiter {
    let count: Int
    let continuation: CheckedContinuation<Void, Never>
  }

  fileprivate struct Contents {
    var now = Instant()
    var sleepers: [UInt64: Sleeper] = [:]
    /// Those that were cancelled before they slept.
    var cancelled: Set<UInt64> = []
    var waiters: [Waiter] = []
    var nextID: UInt64 = 0
  }

  private let contents = Locked(Contents())

  /// Creates a clock that stands at its beginning.
  public init() {}

  /// The time as it is, until it is advanced.
  public var now: Instant { contents.withLock { $0.now } }

  /// No time at all: every duration is exact.
  public var minimumResolution: Duration { .zero }

  /// How many tasks sleep on the clock.
  public var sleepers: Int { contents.withLock { $0.sleepers.count } }

  /// Waits until the clock has been advanced to a deadline, or beyond.
  ///
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let id = contents.withLock { contents in
      contents.nextID += 1
      return contents.nextID
    }
    defer { contents.withLock { _ = $0.cancelled.remove(id) } }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let sleeper = Sleeper(deadline: deadline, continuation: continuation)
        let (result, waiters) = contents.withLock { $0.fallAsleep(sleeper, id: id) }
        if let result { continuation.resume(with: result) }
        for waiter in waiters { waiter.continuation.resume() }
      }
    } onCancel: {
      let sleeper = contents.withLock { $0.cancel(id) }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Lets time pass, and wakes everybody whose deadline has come, the earliest first.
  public func advance(by duration: Duration) {
    let due = contents.withLock { contents in
      contents.now = contents.now.advanced(by: duration)
      return contents.takeDue()
    }
    for sleeper in due { sleeper.continuation.resume() }
  }

  /// Waits until at least so many tasks sleep on the clock.
  public func sleepers(atLeast count: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = contents.withLock { contents in
        if contents.sleepers.count >= count { return true }
        contents.waiters.append(Waiter(count: count, continuation: continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
  }
}

extension ManualClock.Contents {
  /// Notes a sleeper; returns what it wakes with if it must not sleep, and who has waited for one more to sleep.
  fileprivate mutating func fallAsleep(
    _ sleeper: ManualClock.Sleeper, id: UInt64
  ) -> (Result<Void, any Error>?, [ManualClock.Waiter]) {
    if cancelled.remove(id) != nil { return (.failure(CancellationError()), []) }
    if sleeper.deadline <= now { return (.success(()), []) }
    sleepers[id] = sleeper
    let satisfied = waiters.filter { $0.count <= sleepers.count }
    waiters.removeAll { $0.count <= sleepers.count }
    return (nil, satisfied)
  }

  fileprivate mutating func cancel(_ id: UInt64) -> ManualClock.Sleeper? {
    if let sleeper = sleepers.removeValue(forKey: id) { return sleeper }
    cancelled.insert(id)
    return nil
  }

  fileprivate mutating func takeDue() -> [ManualClock.Sleeper] {
    let due = sleepers.filter { $0.value.deadline <= now }
    for id in due.keys { sleepers[id] = nil }
    return due.sorted { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }.map(\.value)
  }
}
