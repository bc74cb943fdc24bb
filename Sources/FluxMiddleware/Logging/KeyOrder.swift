extension Collection<AnyHashable> {
  /// The keys in an order that is always the same: ascending when they are all of one type that has an order, by
  /// their descriptions otherwise.
  var inOrder: [AnyHashable] {
    if let first = first?.base as? any (Comparable & Hashable), let sorted = sorted(like: first) {
      return sorted
    }
    return map { (key: $0, name: String(describing: $0.base)) }.sorted { $0.name < $1.name }.map(\.key)
  }

  private func sorted<Key: Comparable & Hashable>(like _: Key) -> [AnyHashable]? {
    let keys = compactMap { $0.base as? Key }
    return keys.count == count ? keys.sorted().map { AnyHashable($0) } : nil
  }
}
