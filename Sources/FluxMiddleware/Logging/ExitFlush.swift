import FluxCore
import Foundation

/// Has the lines that wait in buffers written when the program ends normally.
///
/// A command-line program often ends within milliseconds of what it has logged; without this its log would be
/// empty.
enum ExitFlush {
  private struct WeakBuffer: Sendable {
    weak var buffer: LogBuffer?
  }

  private static let buffers = Locked<[ObjectIdentifier: WeakBuffer]>([:])

  /// Registers the hook, once.
  private static let hook: Void = {
    // It fails only when there is no memory for it. Then the program ends as if there were no hook.
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

  /// Waits for all buffers together no longer than a second: a sink that is stuck must not keep a program
  /// from ending.
  private static func flushAll() {
    let deadline = DispatchTime.after(.seconds(1))
    let living = buffers.withLock { $0.values.map(\.buffer) }
    for buffer in living { _ = buffer?.flush(until: deadline) }
  }
}
