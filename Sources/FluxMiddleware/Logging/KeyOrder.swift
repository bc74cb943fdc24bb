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
    let keys = compactMap { key in (key.base as? Key).map { (key: key, value: $0) } }
    // What is given back are the same keys: one that may be missing is another than what it holds.
    return keys.count == count ? keys.sorted { $0.value < $1.value }.map(\.key) : nil
  }
}
