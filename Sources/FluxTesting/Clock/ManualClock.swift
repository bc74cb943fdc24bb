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
/// Who sleeps on it is woken in the order of the deadlines, and of falling asleep where those are the same. To be woken
/// is to be resumed: what a task then does, it does when it gets to run.
///
/// - ``advance(by:)`` and ``advance(to:)`` are one jump. A task that was woken sees the time after the jump, and what
///   it sleeps for from there on begins there.
/// - ``run(for:sleepers:)`` goes from deadline to deadline, and lets the tasks sleep again in between. That is what
///   a timer needs.
/// - ``run(while:)`` goes from deadline to deadline for as long as some work takes.
///
/// Time never goes back. Safe from any thread; advancing takes O(n log n) for n sleepers.
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

  private let schedule = Locked(ManualClockSchedule())

  /// Creates a clock that stands at its beginning.
  public init() {}

  /// The time as it is, until it is advanced.
  public var now: Instant { schedule.withLock { $0.now } }

  /// No time at all: every duration is exact.
  public var minimumResolution: Duration { .zero }

  /// How many tasks sleep on the clock.
  public var sleepers: Int { schedule.withLock { $0.sleepers.count } }

  /// When the next task is to be woken; `nil` when nobody sleeps.
  public var nextDeadline: Instant? { schedule.withLock { $0.nextDeadline } }

  // MARK: - Sleeping

  /// Waits until the clock has been advanced to a deadline, or beyond.
  ///
  /// A deadline that has passed is not waited for.
  ///
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let id = schedule.withLock { $0.makeID() }
    defer { tell { $0.left(id) } }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        tell { $0.fallAsleep(id, until: deadline, continuation) }
      }
    } onCancel: {
      tell { $0.cancel(id) }
    }
  }

  // MARK: - Advancing

  /// Lets time pass at once, and wakes everybody whose deadline has come.
  ///
  /// A negative duration lets no time pass.
  public func advance(by duration: Duration) {
    tell { $0.advance(to: $0.now.advanced(by: duration)) }
  }

  /// Lets time pass at once up to an instant, and wakes everybody whose deadline has come.
  ///
  /// At an instant that has passed nothing happens.
  public func advance(to instant: Instant) {
    tell { $0.advance(to: instant) }
  }

  // MARK: - Waiting for tasks

  /// Waits until at least so many tasks sleep on the clock, or the task that waits is cancelled.
  public func sleepers(atLeast count: Int) async {
    await wait(for: .sleepers(atLeast: count))
  }

  /// Waits until something is so, or the task that waits is cancelled.
  func wait(for condition: ManualClockSchedule.Condition) async {
    let id = schedule.withLock { $0.makeID() }
    defer { tell { $0.left(id) } }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        tell { $0.wait(id, for: condition, continuation) }
      }
    } onCancel: {
      tell { $0.cancel(id) }
    }
  }

  /// Lets time pass to the next deadline and wakes who sleeps until then, if that is not after an instant.
  func step(until limit: Instant?) -> ManualClockSchedule.Step {
    let (step, resumptions) = schedule.withLock { $0.step(until: limit) }
    for resumption in resumptions { resumption.resume() }
    return step
  }

  /// How often anybody has fallen asleep.
  var naps: UInt64 { schedule.withLock { $0.naps } }

  /// Tells the schedule what has happened, and resumes outside the lock who is to be.
  private func tell(_ event: (inout ManualClockSchedule) -> [ManualClockSchedule.Resumption]) {
    for resumption in schedule.withLock(event) { resumption.resume() }
  }
}
