/// The services and the scopes of the contexts of a store, until the store is released.
///
/// The first entry belongs to the store. A lifted plug-in with its own services has another entry,
/// and so has a feature that is attached to the running store.
@usableFromInline
final class ContextTable: Sendable {
  /// The number of an entry, which is never used for another entry.
  struct Number: Sendable {
    /// The number of the store's own entry.
    static let store = Number(rawValue: 0)

    /// The index in the lower half, and the generation of the entry in the upper half.
    let rawValue: Int

    var index: Int { rawValue & 0xFFFF_FFFF }
    var generation: Int { rawValue >> 32 }

    init(rawValue: Int) {
      self.rawValue = rawValue
    }

    init(index: Int, generation: Int) {
      rawValue = generation << 32 | index
    }
  }

  fileprivate struct Entry: Sendable {
    /// The change that made the services from the services of another entry, or `nil`.
    var change: ServiceChange?
    var base = Number.store
    var services: Services?
    /// The scope of the code that uses the contexts, or `nil` for the scope of the store.
    var scope: EffectScope?
    /// The number of entries that were removed at the same index.
    var generation = 0
  }

  fileprivate struct Contents: Sendable {
    var entries: [Entry] = []
    /// The indices of removed entries.
    var removed: [Int] = []

    subscript(number: Number) -> Entry? {
      guard number.index < entries.count, entries[number.index].generation == number.generation else {
        return nil
      }
      return entries[number.index]
    }

    mutating func insert(_ entry: Entry) -> Number {
      var entry = entry
      guard let index = removed.popLast() else {
        entries.append(entry)
        return Number(index: entries.count - 1, generation: 0)
      }
      entry.generation = entries[index].generation
      entries[index] = entry
      return Number(index: index, generation: entry.generation)
    }

    func number(of change: ServiceChange, from base: Number) -> Number? {
      entries.firstIndex { $0.change === change && $0.base.rawValue == base.rawValue }
        .map { Number(index: $0, generation: entries[$0].generation) }
    }
  }

  private let contents = Locked(Contents())

  @usableFromInline
  init() {}

  /// Adds the services of the store, before any other entry.
  func provide(_ services: Services) {
    contents.withLock { _ = $0.insert(Entry(services: services)) }
  }

  /// Returns the services of an entry, or no services if the store was released or the entry was
  /// removed.
  func services(_ number: Number) -> Services {
    contents.withLock { $0[number]?.services } ?? .ofReleasedStore
  }

  /// Returns the scope of an entry, or `nil` if it is the scope of the store.
  ///
  /// The scope of an entry that was removed has ended.
  func scope(_ number: Number) -> EffectScope? {
    let (isFound, scope) = contents.withLock { contents in
      let entry = contents[number]
      return (entry != nil, entry?.scope)
    }
    if isFound { return scope }
    let ended = EffectScope()
    ended.end()
    return ended
  }

  /// Returns the number of the entry with the services that a change makes from the services of
  /// another entry.
  ///
  /// The closure of the change is called once for each store and each base, outside the lock.
  func number(of change: ServiceChange, from base: Number) -> Number {
    if let known = contents.withLock({ $0.number(of: change, from: base) }) { return known }
    let services = change.make(self.services(base))
    return contents.withLock { contents in
      if let known = contents.number(of: change, from: base) { return known }
      // The numbers of a released store are not used.
      guard !contents.entries.isEmpty else { return .store }
      let scope = contents[base]?.scope
      return contents.insert(Entry(change: change, base: base, services: services, scope: scope))
    }
  }

  /// Adds an entry with the services of another entry and with its own scope.
  ///
  /// If the store was released, the number of the new entry is the number of the store.
  func add(_ scope: EffectScope, from base: Number) -> Number {
    contents.withLock { contents in
      guard let services = contents[base]?.services else { return .store }
      return contents.insert(Entry(base: base, services: services, scope: scope))
    }
  }

  /// Removes an entry with its own scope, and the entries that were made from it.
  func remove(_ number: Number) {
    if number.rawValue == Number.store.rawValue { return }
    let old = contents.withLock { contents -> [Entry] in
      var old: [Entry] = []
      var numbers = [number]
      while let next = numbers.popLast() {
        guard let entry = contents[next] else { continue }
        old.append(entry)
        contents.entries[next.index] = Entry(generation: entry.generation + 1)
        contents.removed.append(next.index)
        for (index, other) in contents.entries.enumerated()
        where other.change != nil && other.base.rawValue == next.rawValue {
          numbers.append(Number(index: index, generation: other.generation))
        }
      }
      return old
    }
    withExtendedLifetime(old) {}
  }

  /// Releases all services and scopes.
  @usableFromInline
  func removeAll() {
    let old = contents.exchange(Contents())
    withExtendedLifetime(old) {}
  }
}

/// A change of services by lifting.
@usableFromInline
final class ServiceChange: Sendable {
  let make: @Sendable (Services) -> Services

  @usableFromInline
  init(_ make: @escaping @Sendable (Services) -> Services) {
    self.make = make
  }
}
