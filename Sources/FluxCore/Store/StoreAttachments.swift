/// Objects that other modules keep in a store, one of a type, for as long as the store lives.
///
/// A module that adds to what a store does has a place here for what it must remember of each store.
@usableFromInline
package final class StoreAttachments: Sendable {
  private struct Contents {
    var objects: [ObjectIdentifier: any AnyObject & Sendable] = [:]
    var isClosed = false
  }

  private let contents = Locked(Contents())

  @usableFromInline
  init() {}

  /// The object of a type, made if there is none; once the store has gone it is not kept.
  package func object<Kept: AnyObject & Sendable>(_ type: Kept.Type, make: () -> Kept) -> Kept {
    if let known = contents.withLock({ $0.objects[ObjectIdentifier(type)] }) as? Kept { return known }
    // Made outside the lock: another thread may be faster.
    let new = make()
    return contents.withLock { contents in
      if let known = contents.objects[ObjectIdentifier(type)] as? Kept { return known }
      if !contents.isClosed { contents.objects[ObjectIdentifier(type)] = new }
      return new
    }
  }

  /// Lets go of all of them, for good.
  @usableFromInline
  func removeAll() {
    let old = contents.exchange(Contents(isClosed: true))
    withExtendedLifetime(old) {}
  }
}
