/// Objects that other modules keep in a store, one of a type, for as long as the store lives.
///
/// A module that adds to what a store does has a place here for what it must remember of each store.
@usableFromInline
package final class StoreAttachments: Sendable {
  private let objects = Locked<[ObjectIdentifier: any AnyObject & Sendable]>([:])

  @usableFromInline
  init() {}

  /// The object of a type, made if there is none.
  package func object<Kept: AnyObject & Sendable>(_ type: Kept.Type, make: () -> Kept) -> Kept {
    let new = make()
    return objects.withLock { objects in
      if let known = objects[ObjectIdentifier(type)] as? Kept { return known }
      objects[ObjectIdentifier(type)] = new
      return new
    }
  }

  /// The object of a type, if there is one.
  package func object<Kept: AnyObject & Sendable>(_ type: Kept.Type) -> Kept? {
    objects.withLock { $0[ObjectIdentifier(type)] as? Kept }
  }

  /// Lets go of all of them.
  @usableFromInline
  func removeAll() {
    let old = objects.exchange([:])
    withExtendedLifetime(old) {}
  }
}
