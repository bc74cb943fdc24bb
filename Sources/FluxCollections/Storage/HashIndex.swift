/// From the hash of an id to where the element may be: a hash table that grows page by page, so that no
/// change rebuilds it.
///
/// It is Litwin's linear hashing. With 2ⁿ pages, the lowest n bits of a hash tell its page; the next page to
/// come takes its share from the one whose number differs in the highest bit only. A page is a small table
/// with open addressing, whose entries are a part of the hash and a location; an id is compared only where
/// that part agrees.
///
/// It knows nothing of ids and elements, and so is compiled once.
@usableFromInline
struct HashIndex: Sendable {
  /// Pages by number, each of them changed alone.
  @usableFromInline var pages = NumberedTable<HashPage>()
  /// The bits of a hash that tell its page, if there is such a page; without the highest of them otherwise.
  @usableFromInline var mask = 0
  @usableFromInline var count = 0

  /// How many entries there are to a page: above the most, there is one more page, below the least, one less.
  @usableFromInline static let most = 40
  @usableFromInline static let least = 12
  static let usual = 30

  @inlinable
  init() {
    pages.append(HashPage(size: HashPage.smallest))
  }

  /// An index that has room for so many entries from the beginning.
  @usableFromInline
  init(expecting count: Int) {
    let needed = count / HashIndex.usual
    let size = needed > 0 ? 64 : HashPage.smallest
    while pages.count <= needed { pages.append(HashPage(size: size)) }
    while pages.count > mask + 1 { mask = mask << 1 | 1 }
  }

  /// What an index takes of a hash value: its best bits, after a multiplication that spreads a poor hash
  /// value.
  @inlinable @inline(__always)
  static func hash(_ value: Int) -> UInt64 {
    (UInt64(truncatingIfNeeded: value) &* 0x9E37_79B9_7F4A_7C15) &>> Location.width
  }

  @inlinable @inline(__always)
  func page(of hash: UInt64) -> Int {
    let page = Int(truncatingIfNeeded: hash) & mask
    return page < pages.count ? page : page & (mask &>> 1)
  }

  /// The location that an id's hash leads to, and that turns out to be right.
  @inlinable @inline(__always)
  func location(of hash: UInt64, where isRight: (Location) -> Bool) -> Location? {
    pages[page(of: hash)].location(of: hash, where: isRight)
  }

  @usableFromInline
  mutating func insert(_ hash: UInt64, at location: Location) {
    pages[page(of: hash)].insert(hash, at: location)
    count += 1
    if count > pages.count * HashIndex.most { addPage() }
  }

  @usableFromInline
  mutating func remove(_ hash: UInt64, at location: Location) {
    pages[page(of: hash)].remove(hash, at: location)
    count -= 1
    if pages.count > 1, count < pages.count * HashIndex.least { removePage() }
  }

  @usableFromInline
  mutating func relocate(_ hash: UInt64, from old: Location, to new: Location) {
    pages[page(of: hash)].relocate(hash, from: old, to: new)
  }

  private mutating func addPage() {
    let new = pages.count
    if new > mask { mask = mask << 1 | 1 }
    let buddy = new & (mask >> 1)
    let entries = pages[buddy].entries
    let mask = UInt64(mask)
    func isMoving(_ entry: UInt64) -> Bool { (entry >> Location.width) & mask == UInt64(new) }
    pages[buddy] = HashPage(entries.lazy.filter { !isMoving($0) })
    pages.append(HashPage(entries.lazy.filter { isMoving($0) }))
  }

  private mutating func removePage() {
    let page = pages.removeLast()
    let buddy = pages.count & (mask >> 1)
    for entry in page.entries where entry != HashPage.empty { pages[buddy].insert(entry) }
    if pages.count == mask >> 1 + 1 { mask >>= 1 }
  }
}
