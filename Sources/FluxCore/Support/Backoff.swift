/// The intervals for which a thread backs off from a lock that another thread holds.
///
/// Each interval is twice as long as the previous interval. The number of intervals is limited,
/// so that a thread soon blocks if the holder is not running.
///
/// The idea is exponential backoff, from Anderson, "The Performance of Spin Lock Alternatives for
/// Shared-Memory Multiprocessors" (1990).
struct Backoff: Sequence, IteratorProtocol {
  private var interval = Duration.microseconds(1)

  /// Returns the next interval, or `nil` if the thread must wait for the lock itself.
  mutating func next() -> Duration? {
    guard interval <= .microseconds(8) else { return nil }
    defer { interval *= 2 }
    return interval
  }
}
