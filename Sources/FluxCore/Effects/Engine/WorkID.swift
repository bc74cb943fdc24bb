/// The identity of a piece of work, which contains the type of the action, the key of the work's
/// policy, or both.
package struct WorkID: Hashable, Sendable {
  private let type: ObjectIdentifier?
  private let key: WorkKey?

  /// Creates the identity of the work that has the given type of action and the given key.
  ///
  /// If the key is shared with other types, the identity does not contain the type.
  package init(of type: any Any.Type, key: WorkKey?) {
    self.type = key?.isShared == true ? nil : ObjectIdentifier(type)
    self.key = key
  }

  /// Returns whether the identity contains the given type of action.
  ///
  /// An identity with a shared key contains no type.
  package func isOf(_ other: any Any.Type) -> Bool { type == ObjectIdentifier(other) }

  package func hash(into hasher: inout Hasher) {
    // One word is hashed in fewer instructions than two optional values.
    hasher.combine((type.map { Int(bitPattern: $0) } ?? 0) ^ (key?.hash ?? 0))
  }

  /// Creates an identity with a key that several action types share.
  package init(shared key: some Hashable & Sendable) {
    type = nil
    self.key = WorkKey(key, isShared: true)
  }
}

extension Hashable {
  /// Returns a Boolean value that indicates whether another value has the same type and is equal.
  fileprivate func isEqual(to other: any Hashable & Sendable) -> Bool {
    type(of: other) == Self.self && exactly(other, Self.self) == self
  }
}

/// A key that distinguishes pieces of work of one type of action, or that several types share.
///
/// The key is an object, so that a policy without a key occupies one word for it.
package final class WorkKey: Hashable, Sendable {
  private let value: any Hashable & Sendable
  /// The hash, which is computed once.
  ///
  /// The hash is computed in advance, because lanes are looked up while a lock is held, and the
  /// hash function of a key can be slow.
  fileprivate let hash: Int
  package let isShared: Bool

  package init(_ value: some Hashable & Sendable, isShared: Bool = false) {
    self.value = value
    hash = value.hashValue
    self.isShared = isShared
  }

  package static func == (first: WorkKey, second: WorkKey) -> Bool {
    first === second || first.hash == second.hash && first.value.isEqual(to: second.value)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(hash)
  }
}
