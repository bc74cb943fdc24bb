/// What a piece of work is known by: its action's type and, where its policy has one, a key.
struct WorkID: Hashable, Sendable {
  private let type: ObjectIdentifier?
  private let key: WorkKey?

  /// Work of a type of action, unless its key is shared with other types.
  init(of type: any Any.Type, key: WorkKey?) {
    self.type = key?.isShared == true ? nil : ObjectIdentifier(type)
    self.key = key
  }

  /// Whether it is work of a type of action, whatever its key, and no other's too.
  func isOf(_ other: any Any.Type) -> Bool { type == ObjectIdentifier(other) }

  /// Work with a key that types share.
  init(shared key: some Hashable & Sendable) {
    type = nil
    self.key = WorkKey(key, isShared: true)
  }
}

/// What tells pieces of work of one type from each other, or is common to those of several.
struct WorkKey: Hashable, Sendable {
  private let value: any Hashable & Sendable
  /// Hashed once, where it is made: lanes are looked up under a lock, where a key's own code must not take long.
  private let hash: Int
  let isShared: Bool

  init(_ value: some Hashable & Sendable, isShared: Bool = false) {
    self.value = value
    hash = value.hashValue
    self.isShared = isShared
  }

  static func == (first: WorkKey, second: WorkKey) -> Bool {
    // The types too: to `AnyHashable` an integer is the same whatever its width.
    first.hash == second.hash
      && ObjectIdentifier(type(of: first.value)) == ObjectIdentifier(type(of: second.value))
      && AnyHashable(first.value) == AnyHashable(second.value)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(hash)
  }
}
