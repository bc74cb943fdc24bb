import FluxCore
import Synchronization

/// A link in a store's chain that can send actions through a second, replaceable chain of
/// middleware.
final class PlaceInChain: Sendable {
  /// A value that identifies a ``PlaceInChain`` and is never reused, even after that object is
  /// released.
  struct ID: Hashable, Sendable {
    private static let last = Atomic<UInt64>(0)
    private let number = Self.last.wrappingAdd(1, ordering: .relaxed).newValue
  }

  let id = ID()
  /// The function that passes actions to the rest of the chain.
  let next: DispatchFunction
  private let hasDetour = Atomic(false)
  private let detour = Locked(Detour())
  private let onEnd: @Sendable (ID) -> Void

  private struct Detour: Sendable {
    var chain: DispatchFunction?
    var version: UInt64 = 0
  }

  init(next: @escaping DispatchFunction, onEnd: @escaping @Sendable (ID) -> Void) {
    self.next = next
    self.onEnd = onEnd
  }

  deinit {
    onEnd(id)
  }

  /// Sends an action through the installed chain, or directly to the rest of the chain if no
  /// chain is installed.
  func receive(_ action: any Action) {
    guard hasDetour.load(ordering: .acquiring) else { return next(action) }
    let chain = detour.withLock { $0.chain } ?? next
    chain(action)
  }

  /// Installs a chain that ends in `next`, or removes the installed chain if `chain` is `nil`.
  ///
  /// If a newer version of the chain is already installed, the method has no effect.
  func install(_ chain: DispatchFunction?, version: UInt64) {
    // The old chain is released outside the lock.
    _ = detour.withLock { detour -> DispatchFunction? in
      guard version >= detour.version else { return chain }
      let old = detour.chain
      detour = Detour(chain: chain, version: version)
      hasDetour.store(chain != nil, ordering: .releasing)
      return old
    }
  }
}
