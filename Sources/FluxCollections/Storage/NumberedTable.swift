/// A table of numbered items.
///
/// Copies of a table share the parts that no copy has changed.
///
/// The table has three levels of arrays. The arrays of the lower two levels have at most 32
/// entries. Changing an item copies only those arrays on the path to the item that are shared
/// with another table. The numbers start at zero and have no gaps.
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
