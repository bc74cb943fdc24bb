/// A hash table that maps the hashes of ids to the locations of elements.
///
/// The table uses Litwin's linear hashing. The table grows by one page at a time, so that no
/// change rebuilds the whole table. With 2ⁿ pages, the lowest n bits of a hash select its page.
/// A new page receives entries from the page whose number differs only in the highest bit. A
/// page is a small table with open addressing. Each entry contains a part of the hash and a
/// location. Ids are compared only if the stored part of the hash matches.
///
/// The table does not depend on the types of ids and elements, so it is compiled only once.
@usableFromInline
struct HashIndex: Sendable {
  /// The pages, which are accessed by number and copied individually.
  @usableFromInline var pages = NumberedTable<HashPage>()
  /// The mask for the bits of a hash that select a page.
  ///
  /// If the selected page does not exist yet, the highest bit of the mask is ignored.
  @usableFromInline var mask = 0
  @usableFromInline var count = 0
  @usableFromInline let hashing = IDHashing.ofProcess

  /// The limits for the average number of entries per page.
  ///
  /// If the average is above `most`, a page is added. If the average is below `least`, a page is
  /// removed.
  @usableFromInline static let most = 40
  @usableFromInline static let least = 12
  static let usual = 30

  @inlinable
  init() {
    pages.append(HashPage(size: HashPage.smallest))
  }

  /// Creates an index with room for the expected number of entries.
  @usableFromInline
  init(expecting count: Int) {
    let needed = count / HashIndex.usual
    let size = needed > 0 ? 64 : HashPage.smallest
    while pages.count <= needed { pages.append(HashPage(size: size)) }
    while pages.count > mask + 1 { mask = mask << 1 | 1 }
  }

  @inlinable @inline(__always)
  func page(of hash: UInt64) -> Int {
    let page = Int(truncatingIfNeeded: hash) & mask
    return page < pages.count ? page : page & (mask &>> 1)
  }

  /// Returns the first result of a closure for a location that is stored with a hash.
  @inlinable @inline(__always)
  func first<Result>(at hash: UInt64, _ body: (Location) -> Result?) -> Result? {
    pages[page(of: hash)].first(at: hash, body)
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
