extension Collection<AnyHashable> {
  /// The keys in a reproducible order.
  ///
  /// If all keys have the same comparable type, they are in ascending order. Keys without a
  /// common comparable type are in the order of their descriptions.
  var inOrder: [AnyHashable] {
    if let first = first?.base as? any (Comparable & Hashable), let sorted = sorted(like: first) {
      return sorted
    }
    return map { (key: $0, name: String(describing: $0.base)) }.sorted { $0.name < $1.name }.map(\.key)
  }

  private func sorted<Key: Comparable & Hashable>(like _: Key) -> [AnyHashable]? {
    let keys = compactMap { key in (key.base as? Key).map { (key: key, value: $0) } }
    // The result contains the original keys, because a key of an optional type differs from the
    // value that it wraps.
    return keys.count == count ? keys.sorted { $0.value < $1.value }.map(\.key) : nil
  }
}
