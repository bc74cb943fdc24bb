/// A small hash table that forms one page of a ``HashIndex``.
@usableFromInline
struct HashPage: Sendable {
  /// The value of an empty entry.
  ///
  /// No occupied entry has this value, because the leaf number in an entry is always lower.
  @inlinable static var empty: UInt64 { .max }
  @inlinable static var smallest: Int { 8 }

  /// The entries, whose number is a power of two.
  ///
  /// At least a quarter of the entries are empty, so that every search ends.
  @usableFromInline var entries: ContiguousArray<UInt64>
  @usableFromInline var count = 0

  @usableFromInline
  init(size: Int) {
    entries = HashPage.emptyEntries(size)
  }

  /// Returns empty entries.
  ///
  /// The initializers of an array with a size would look up the type of the array.
  private static func emptyEntries(_ size: Int) -> ContiguousArray<UInt64> {
    var entries: ContiguousArray<UInt64> = []
    entries.reserveCapacity(size)
    entries.append(contentsOf: repeatElement(HashPage.empty, count: size))
    return entries
  }

  init(_ entries: some Sequence<UInt64>) {
    self.init(size: 64)
    for entry in entries where entry != HashPage.empty { insert(entry) }
  }

  /// Returns a number that determines where the search for a hash starts.
  ///
  /// The number depends on the highest bits of the hash, because the lowest bits select the
  /// page.
  @inlinable @inline(__always)
  static func start(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash &>> 22) }

  /// Returns the first result of a closure for a location that is stored with a hash.
  @inlinable @inline(__always)
  func first<Result>(at hash: UInt64, _ body: (Location) -> Result?) -> Result? {
    let last = entries.count &- 1
    var at = HashPage.start(hash) & last
    while entries[at] != HashPage.empty {
      let entry = entries[at]
      if entry &>> Location.width == hash, let result = body(Location(entry: entry)) { return result }
      at = (at &+ 1) & last
    }
    return nil
  }

  mutating func insert(_ hash: UInt64, at location: Location) {
    insert(hash << Location.width | location.bits)
  }

  mutating func insert(_ entry: UInt64) {
    if (count + 1) * 4 > entries.count * 3 { resize(to: entries.count * 2) }
    entries.withUnsafeMutableBufferPointer { HashPage.put(entry, in: $0) }
    count += 1
  }

  /// Puts an entry at the first empty position of its search.
  @inline(__always)
  private static func put(_ entry: UInt64, in entries: UnsafeMutableBufferPointer<UInt64>) {
    let last = entries.count &- 1
    var at = HashPage.start(entry >> Location.width) & last
    while entries[at] != HashPage.empty { at = (at &+ 1) & last }
    entries[at] = entry
  }

  mutating func relocate(_ hash: UInt64, from old: Location, to new: Location) {
    guard let at = place(of: hash, at: old) else { return }
    entries[at] = hash << Location.width | new.bits
  }

  mutating func remove(_ hash: UInt64, at location: Location) {
    guard var hole = place(of: hash, at: location) else { return }
    let last = entries.count - 1
    // A later entry moves into the empty position, unless this position precedes the start of the
    // search for the entry.
    var at = (hole + 1) & last
    while entries[at] != HashPage.empty {
      let start = HashPage.start(entries[at] >> Location.width) & last
      if (at - start) & last >= (at - hole) & last {
        entries[hole] = entries[at]
        hole = at
      }
      at = (at + 1) & last
    }
    entries[hole] = HashPage.empty
    count -= 1
    if entries.count > HashPage.smallest, count * 8 < entries.count { resize(to: entries.count / 2) }
  }

  private func place(of hash: UInt64, at location: Location) -> Int? {
    let wanted = hash << Location.width | location.bits
    let last = entries.count - 1
    var at = HashPage.start(hash) & last
    while entries[at] != wanted {
      if entries[at] == HashPage.empty { return nil }
      at = (at + 1) & last
    }
    return at
  }

  private mutating func resize(to size: Int) {
    let old = entries
    entries = HashPage.emptyEntries(size)
    entries.withUnsafeMutableBufferPointer { entries in
      for entry in old where entry != HashPage.empty { HashPage.put(entry, in: entries) }
    }
  }
}
