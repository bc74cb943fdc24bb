/// The mapping between the slots and the positions of the elements in a leaf.
///
/// The index refers to an element by its slot. Therefore, an insertion moves at most 64 bytes
/// in this map, and does not change the index entries of other elements.
@usableFromInline
struct SlotMap: Sendable {
  @inlinable static var capacity: Int { 64 }

  /// The slots at the 64 positions, followed by the positions of the 64 slots.
  @usableFromInline var bytes: ContiguousArray<UInt8> = []
  /// A bit set of the slots in use.
  @usableFromInline var taken: UInt64 = 0

  @inlinable
  init() {}

  /// Creates a map with the given number of slots, in which each slot has the same number as
  /// its position.
  @usableFromInline
  init(count: Int) {
    self.init()
    for position in 0..<count { _ = insert(at: position, count: position) }
  }

  @inlinable @inline(__always)
  func position(of slot: Int) -> Int { Int(bytes[SlotMap.capacity &+ slot]) }

  @inlinable @inline(__always)
  func slot(at position: Int) -> Int { Int(bytes[position]) }

  /// Assigns a free slot to a position, and moves the slots at and after the position by one.
  @usableFromInline
  mutating func insert(at position: Int, count: Int) -> Int {
    if bytes.isEmpty { bytes = ContiguousArray(repeating: 0, count: 2 * SlotMap.capacity) }
    let slot = (~taken).trailingZeroBitCount
    taken |= 1 &<< UInt64(slot)
    bytes.withUnsafeMutableBufferPointer { bytes in
      var at = count
      while at > position {
        let moved = bytes[at &- 1]
        bytes[at] = moved
        bytes[SlotMap.capacity &+ Int(moved)] = UInt8(truncatingIfNeeded: at)
        at &-= 1
      }
      bytes[position] = UInt8(truncatingIfNeeded: slot)
      bytes[SlotMap.capacity &+ slot] = UInt8(truncatingIfNeeded: position)
    }
    return slot
  }

  /// Frees the slot at a position, and returns the slot.
  @usableFromInline
  mutating func remove(at position: Int, count: Int) -> Int {
    let slot = slot(at: position)
    taken &= ~(1 &<< UInt64(slot))
    bytes.withUnsafeMutableBufferPointer { bytes in
      for at in position..<count - 1 {
        let moved = bytes[at &+ 1]
        bytes[at] = moved
        bytes[SlotMap.capacity &+ Int(moved)] = UInt8(truncatingIfNeeded: at)
      }
    }
    return slot
  }
}
