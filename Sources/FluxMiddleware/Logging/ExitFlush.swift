import FluxCore
import Foundation

/// A hook that writes the pending lines of all buffers when the program exits normally.
///
/// A command-line program often exits only a few milliseconds after it has logged a line.
/// Without a flush, the log of a short program would be empty.
enum ExitFlush {
  private struct WeakBuffer: Sendable {
    weak var buffer: LogBuffer?
  }

  private static let buffers = Locked<[ObjectIdentifier: WeakBuffer]>([:])

  /// A constant whose initialization registers the hook exactly once.
  private static let hook: Void = {
    // If memory is exhausted, the registration fails, and the program exits without a flush.
    _ = atexit { ExitFlush.flushAll() }
  }()

  static func add(_ buffer: LogBuffer) {
    _ = hook
    let id = ObjectIdentifier(buffer)
    let entry = WeakBuffer(buffer: buffer)
    buffers.withLock { $0[id] = entry }
  }

  static func remove(_ buffer: LogBuffer) {
    let id = ObjectIdentifier(buffer)
    buffers.withLock { _ = $0.removeValue(forKey: id) }
  }

  /// Waits until the lines of all buffers are written, for at most one second in total.
  ///
  /// A blocked sink must not prevent the program from exiting.
  private static func flushAll() {
    let deadline = DispatchTime.after(.seconds(1))
    let living = buffers.withLock { $0.values.map(\.buffer) }
    for buffer in living { _ = buffer?.flush(until: deadline) }
  }
}
