/// The services of a store and of its lifted plug-ins and middleware, until the store is released.
@usableFromInline
final class ServiceTable: Sendable {
  fileprivate struct Entry: Sendable {
    /// The change that made the services from the services of another entry, or `nil` for the
    /// services of the store.
    let change: ServiceChange?
    let base: Int
    let services: Services
  }

  /// The entries, of which the first one contains the services of the store.
  private let entries = Locked<[Entry]>([])

  @usableFromInline
  init() {}

  /// Adds the services of the store, before any other services.
  func provide(_ services: Services) {
    entries.withLock { $0.append(Entry(change: nil, base: 0, services: services)) }
  }

  /// Returns the services with a number, or no services if the store was released.
  subscript(number: Int) -> Services {
    entries.withLock { $0.isEmpty ? nil : $0[number].services } ?? .ofReleasedStore
  }

  /// Returns the number of the services that a change makes from the services with another number.
  ///
  /// The closure of the change is called once for each store and each base, outside the lock.
  func number(of change: ServiceChange, from base: Int) -> Int {
    if let known = entries.withLock({ $0.number(of: change, from: base) }) { return known }
    let services = change.make(self[base])
    return entries.withLock { entries in
      if let known = entries.number(of: change, from: base) { return known }
      // The numbers of a released store are not used.
      if !entries.isEmpty { entries.append(Entry(change: change, base: base, services: services)) }
      return entries.count - 1
    }
  }

  /// Releases all services.
  @usableFromInline
  func removeAll() {
    let old = entries.exchange([])
    withExtendedLifetime(old) {}
  }
}

extension [ServiceTable.Entry] {
  fileprivate func number(of change: ServiceChange, from base: Int) -> Int? {
    firstIndex { $0.change === change && $0.base == base }
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
