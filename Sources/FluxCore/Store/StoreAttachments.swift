/// The objects that other modules keep in a store until the store is released, with at most one
/// object of each type.
///
/// A module that extends the store uses these objects to keep its own data about each store.
@usableFromInline
package final class StoreAttachments: Sendable {
  private struct Contents {
    var objects: [ObjectIdentifier: any AnyObject & Sendable] = [:]
    var isClosed = false
  }

  private let contents = Locked(Contents())

  @usableFromInline
  init() {}

  /// Returns the object of a type, and creates the object if it does not exist.
  ///
  /// Objects that are created after the store has been released are not kept.
  package func object<Kept: AnyObject & Sendable>(_ type: Kept.Type, make: () -> Kept) -> Kept {
    if let known = contents.withLock({ $0.objects[ObjectIdentifier(type)] }) as? Kept { return known }
    // The closure runs outside the lock, so another thread may insert an object first.
    let new = make()
    return contents.withLock { contents in
      if let known = contents.objects[ObjectIdentifier(type)] as? Kept { return known }
      if !contents.isClosed { contents.objects[ObjectIdentifier(type)] = new }
      return new
    }
  }

  /// Releases all objects.
  ///
  /// Objects that are created after this call are not kept.
  @usableFromInline
  func removeAll() {
    let old = contents.exchange(Contents(isClosed: true))
    withExtendedLifetime(old) {}
  }
}
