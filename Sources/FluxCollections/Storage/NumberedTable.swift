/// Items by number, of which copies share what neither has changed.
///
/// Three levels of arrays, of which the lower two have at most 32 entries. A change of an item copies the
/// arrays on the way to it that another table shares, and nothing if none is shared. The numbers are those
/// from zero up.
@usableFromInline
struct NumberedTable<Item> {
  @usableFromInline typealias Page = ContiguousArray<Item>
  @usableFromInline typealias Block = ContiguousArray<Page>

  @usableFromInline var blocks: ContiguousArray<Block> = []
  @usableFromInline var count = 0

  @inlinable
  init() {}

  @inlinable @inline(__always)
  subscript(number: Int) -> Item {
    _read { yield blocks[number &>> 10][(number &>> 5) & 31][number & 31] }
    _modify { yield &blocks[number &>> 10][(number &>> 5) & 31][number & 31] }
  }

  @inlinable
  mutating func append(_ item: Item) {
    let block = count &>> 10
    let page = (count &>> 5) & 31
    if block == blocks.count { blocks.append([]) }
    if page == blocks[block].count { blocks[block].append([]) }
    blocks[block][page].append(item)
    count += 1
  }

  @inlinable
  mutating func removeLast() -> Item {
    count -= 1
    let block = count &>> 10
    let page = (count &>> 5) & 31
    let item = blocks[block][page].removeLast()
    if blocks[block][page].isEmpty { blocks[block].removeLast() }
    if blocks[block].isEmpty { blocks.removeLast() }
    return item
  }
}

extension NumberedTable: Sendable where Item: Sendable {}
