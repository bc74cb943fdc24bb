import FluxCore
import Synchronization

/// A link of a chain through which actions take a way that can be changed.
final class PlaceInChain: Sendable {
  /// The chain behind this place.
  let next: DispatchFunction
  private let hasDetour = Atomic(false)
  private let detour = Locked(Detour())
  private let onEnd: @Sendable (ObjectIdentifier) -> Void

  private struct Detour: Sendable {
    var chain: DispatchFunction?
    var version: UInt64 = 0
  }

  init(next: @escaping DispatchFunction, onEnd: @escaping @Sendable (ObjectIdentifier) -> Void) {
    self.next = next
    self.onEnd = onEnd
  }

  deinit {
    onEnd(ObjectIdentifier(self))
  }

  /// Sends an action through the chain that is installed now, or straight on.
  func receive(_ action: any Action) {
    guard hasDetour.load(ordering: .acquiring) else { return next(action) }
    let chain = detour.withLock { $0.chain } ?? next
    chain(action)
  }

  /// Installs a chain that ends in `next`, or none, unless a newer one is there.
  func install(_ chain: DispatchFunction?, version: UInt64) {
    // The old one is released outside the lock.
    _ = detour.withLock { detour -> DispatchFunction? in
      guard version >= detour.version else { return chain }
      let old = detour.chain
      detour = Detour(chain: chain, version: version)
      hasDetour.store(chain != nil, ordering: .releasing)
      return old
    }
  }
}
