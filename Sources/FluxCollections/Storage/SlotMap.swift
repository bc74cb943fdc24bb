/// Which slot of a leaf stands at which position in it, and the other way round.
///
/// What points to an element names its slot, so that an insertion moves at most 64 bytes here, and nothing
/// elsewhere.
@usableFromInline
struct SlotMap: Sendable {
  @inlinable static var capacity: Int { 64 }

  /// The slot at each position, and after 64 of them the position of each slot.
  @usableFromInline var bytes: ContiguousArray<UInt8> = []
  /// One bit for each slot that is taken.
  @usableFromInline var taken: UInt64 = 0

  @inlinable
  init() {}

  /// So many slots, each at the position of its number.
  @usableFromInline
  init(count: Int) {
    self.init()
    for position in 0..<count { _ = insert(at: position, count: position) }
  }

  @inlinable @inline(__always)
  func position(of slot: Int) -> Int { Int(bytes[SlotMap.capacity &+ slot]) }

  @inlinable @inline(__always)
  func slot(at position: Int) -> Int { Int(bytes[position]) }

  /// Takes a slot for a position before which those at and after it make room.
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

  /// Frees the slot at a position, and returns it.
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
