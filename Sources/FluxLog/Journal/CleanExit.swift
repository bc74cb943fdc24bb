import FluxCore
import Foundation

/// An object that is closed when the program exits normally.
protocol ClosedAtExit: AnyObject, Sendable {
  func close()
}

/// A hook that closes journals when the program exits normally, because most programs never
/// release their store.
enum CleanExit {
  private struct WeakObject: Sendable {
    weak var object: (any ClosedAtExit)?
  }

  private static let objects = Locked<[ObjectIdentifier: WeakObject]>([:])

  /// A constant whose initialization registers the hook exactly once.
  private static let hook: Void = {
    // If memory is exhausted, the registration fails, and the exit looks like a crash.
    _ = atexit {
      let living = CleanExit.objects.withLock { $0.values.map(\.object) }
      for object in living { object?.close() }
    }
  }()

  static func add(_ object: any ClosedAtExit) {
    _ = hook
    let entry = WeakObject(object: object)
    let id = ObjectIdentifier(object)
    objects.withLock { $0[id] = entry }
  }

  static func remove(_ object: any ClosedAtExit) {
    let id = ObjectIdentifier(object)
    objects.withLock { _ = $0.removeValue(forKey: id) }
  }
}
