import FluxTesting
import Synchronization

/// A clock on which short waits, those before another try, are over at once and noted, and long ones, in which a try is
/// given up, pass when a test says so.
final class QuickClock: Clock, Sendable {
  typealias Instant = ManualClock.Instant

  private let slow = ManualClock()
  private let noted = Mutex<[Duration]>([])

  /// The short waits there were.
  var waits: [Duration] { noted.withLock { $0 } }

  var now: Instant { slow.now }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let wait = now.duration(to: deadline)
    guard wait < .seconds(10) else { return try await slow.sleep(until: deadline) }
    noted.withLock { $0.append(wait) }
  }

  /// Waits until somebody waits for long, and has that pass.
  func passLongWait() async {
    await slow.sleepers(atLeast: 1)
    slow.advance(by: .seconds(30))
  }
}
