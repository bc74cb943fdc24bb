import FluxMiddleware
public import Foundation

extension FileLog {
  /// Opens the log in a directory as soon as no other object uses the directory.
  ///
  /// ```swift
  /// let log = try await FileLog.whenAvailable(in: directory)
  /// ```
  ///
  /// Call this method if several processes of a device can use the log, for example an app and its
  /// extension. One process at a time leads. After it has closed the log, or has ended for any
  /// reason, one of the waiting processes opens the log with all entries that were appended.
  ///
  /// While another object uses the directory, the method tries again after each interval. It reads
  /// the files on a thread that tasks do not share.
  ///
  /// - Parameters:
  ///   - directory: The directory, which contains only this log.
  ///   - segmentLimit: The number of bytes of entries after which ``isFull`` is `true`.
  ///   - usesRestOfDamaged: A Boolean value that indicates whether a log with damaged entries is
  ///     opened with the entries before them, as in
  ///     ``init(in:segmentLimit:usesRestOfDamaged:)``.
  ///   - interval: The time between two attempts.
  ///   - clock: The clock that measures the interval.
  /// - Throws: A `CancellationError` if the task is canceled while it waits, or any other error of
  ///   ``init(in:segmentLimit:usesRestOfDamaged:)`` than ``LogError/Code/inUse``.
  public static func whenAvailable(
    in directory: URL, segmentLimit: Int = 1 << 20, usesRestOfDamaged: Bool = false,
    tryingEvery interval: Duration = .milliseconds(200), clock: any Clock<Duration> = ContinuousClock()
  ) async throws -> FileLog {
    let blocking = BlockingCode()
    while true {
      let result = await blocking.result {
        Result { () throws(LogError) in
          try FileLog(in: directory, segmentLimit: segmentLimit, usesRestOfDamaged: usesRestOfDamaged)
        }
      }
      do throws(LogError) {
        return try result.get()
      } catch {
        guard error.code == .inUse else { throw error }
      }
      try await clock.sleep(for: interval)
    }
  }
}
