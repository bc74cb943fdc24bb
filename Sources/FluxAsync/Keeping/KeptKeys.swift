/// The keys of a state, for each of which a plug-in keeps one piece of work running.
protocol KeptKeys: Equatable, Sendable {
  associatedtype Key: Sendable
  /// A value that distinguishes the pieces of work that can run at the same time.
  associatedtype Lane: Hashable, Sendable

  /// The value without keys, which precedes the initial state.
  static var none: Self { get }

  /// Calls a closure for each lane whose key has changed.
  ///
  /// The lanes whose key has gone come first.
  func forEachChange(since old: Self, _ act: (_ lane: Lane, _ key: Key?) -> Void)
}

/// At most one key.
struct SingleKey<Key: Equatable & Sendable>: KeptKeys {
  /// The only lane of a single key.
  enum Lane: Hashable, Sendable {
    case only
  }

  let key: Key?

  static var none: SingleKey { SingleKey(key: nil) }

  func forEachChange(since old: SingleKey, _ act: (Lane, Key?) -> Void) {
    if key != old.key { act(.only, key) }
  }
}

/// A collection of keys, each of which has its own work.
struct EachKey<Keys: Collection & Equatable & Sendable>: KeptKeys
where Keys.Element: Hashable & Sendable {
  let keys: Keys?

  static var none: EachKey { EachKey(keys: nil) }

  func forEachChange(since old: EachKey, _ act: (Keys.Element, Keys.Element?) -> Void) {
    var gone = Set<Keys.Element>()
    if let keys = old.keys { gone.formUnion(keys) }
    var new: [Keys.Element] = []
    var seen = Set<Keys.Element>()
    if let keys {
      for key in keys where seen.insert(key).inserted && gone.remove(key) == nil { new.append(key) }
    }
    if let keys = old.keys {
      for key in keys where gone.remove(key) != nil { act(key, nil) }
    }
    for key in new { act(key, key) }
  }
}
