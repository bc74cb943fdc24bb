/// The identity of work, which contains the type of its action, the key of its policy, or both.
package struct WorkID: Hashable, Sendable {
  private let type: ObjectIdentifier?
  private let key: WorkKey?

  /// Creates the identity of work from the type of its action and from its key.
  ///
  /// If the key is shared with other types, the identity does not contain the type.
  package init(of type: any Any.Type, key: WorkKey?) {
    self.type = key?.isShared == true ? nil : ObjectIdentifier(type)
    self.key = key
  }

  /// Returns whether the identity contains a type of action.
  ///
  /// An identity with a shared key contains no type.
  package func isOf(_ other: any Any.Type) -> Bool { type == ObjectIdentifier(other) }

  /// Creates the identity of work with a key that several types share.
  package init(shared key: some Hashable & Sendable) {
    type = nil
    self.key = WorkKey(key, isShared: true)
  }
}

/// A key that distinguishes work of one type of action, or that work of several types shares.
package struct WorkKey: Hashable, Sendable {
  private let value: any Hashable & Sendable
  /// The hash, which is computed once.
  ///
  /// The hash is computed in advance, because lanes are looked up while a lock is held, and the
  /// hash function of a key can be slow.
  private let hash: Int
  package let isShared: Bool

  package init(_ value: some Hashable & Sendable, isShared: Bool = false) {
    self.value = value
    hash = value.hashValue
    self.isShared = isShared
  }

  package static func == (first: WorkKey, second: WorkKey) -> Bool {
    // The types are compared too, because `AnyHashable` considers equal integers of different
    // types equal.
    first.hash == second.hash
      && ObjectIdentifier(type(of: first.value)) == ObjectIdentifier(type(of: second.value))
      && AnyHashable(first.value) == AnyHashable(second.value)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(hash)
  }
}
