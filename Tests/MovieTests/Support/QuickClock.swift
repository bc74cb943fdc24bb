import FluxTesting
import Synchronization

/// A clock on which short waits, those before another attempt, end immediately and are recorded.
///
/// Long waits, which are the time limits of attempts, pass when a test advances them.
final class QuickClock: Clock, Sendable {
  typealias Instant = ManualClock.Instant

  private let slow = ManualClock()
  private let noted = Mutex<[Duration]>([])

  /// The recorded short waits.
  var waits: [Duration] { noted.withLock { $0 } }

  var now: Instant { slow.now }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let wait = now.duration(to: deadline)
    guard wait < .seconds(10) else { return try await slow.sleep(until: deadline) }
    noted.withLock { $0.append(wait) }
  }

  /// Waits until a task starts a long wait, and lets its time pass.
  func passLongWait() async {
    await slow.sleepers(atLeast: 1)
    slow.advance(by: .seconds(30))
  }
}
