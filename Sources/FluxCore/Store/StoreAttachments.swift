/// The objects that other modules keep in a store until the store is released, with at most one
/// object of each type.
///
/// A module that extends the store uses these objects to keep its own data about each store.
@usableFromInline
package final class StoreAttachments: Sendable {
  private struct Contents {
    /// The objects with their types.
    ///
    /// A store has few objects, so a search is faster than a dictionary.
    var objects: [(type: ObjectIdentifier, object: any AnyObject & Sendable)] = []
    var isClosed = false

    func object(_ type: ObjectIdentifier) -> (any AnyObject & Sendable)? {
      for entry in objects where entry.type == type { return entry.object }
      return nil
    }
  }

  private let contents = Locked(Contents())

  @usableFromInline
  init() {}

  /// Returns the object of a type, and creates the object if it does not exist.
  ///
  /// Objects that are created after the store has been released are not kept.
  package func object<Kept: AnyObject & Sendable>(_ type: Kept.Type, make: () -> Kept) -> Kept {
    if let known = object(ObjectIdentifier(type)) { return unsafeDowncast(known, to: Kept.self) }
    // The closure runs outside the lock, so another thread may insert an object first.
    return unsafeDowncast(insert(make(), ObjectIdentifier(type)), to: Kept.self)
  }

  private func object(_ type: ObjectIdentifier) -> (any AnyObject & Sendable)? {
    contents.withLock { $0.object(type) }
  }

  /// Inserts an object, or returns the object of the type that another thread has inserted.
  private func insert(_ new: any AnyObject & Sendable, _ type: ObjectIdentifier) -> any AnyObject & Sendable {
    contents.withLock { contents in
      if let known = contents.object(type) { return known }
      if !contents.isClosed { contents.objects.append((type, new)) }
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
