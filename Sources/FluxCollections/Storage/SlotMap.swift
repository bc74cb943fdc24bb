/// The mapping between the slots and the positions of the elements in a leaf.
///
/// The index refers to an element by its slot. Therefore, an insertion changes at most 64 bytes
/// in this map, and does not change the index entries of other elements. Each position is a byte
/// of a word, and the methods process the eight bytes of a word together.
@usableFromInline
struct SlotMap: Sendable {
  @inlinable static var capacity: Int { 64 }
  /// A word with a one in each byte.
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  /// A word with the highest bit of each byte.
  private static let highest = ones << 7
  /// The byte of a free slot, which differs from all positions in its second highest bit.
  private static let free: UInt64 = 64

  /// The positions of the 64 slots, with eight positions in each word.
  @usableFromInline var words: ContiguousArray<UInt64> = []
  /// A bit set of the slots in use.
  @usableFromInline var taken: UInt64 = 0

  @inlinable
  init() {}

  /// Creates a map with the given number of slots.
  ///
  /// Each slot has the same number as its position.
  @usableFromInline
  init(count: Int) {
    words = ContiguousArray(repeating: SlotMap.free * SlotMap.ones, count: SlotMap.capacity / 8)
    for slot in 0..<count { set(slot, to: UInt64(slot)) }
    taken = count == SlotMap.capacity ? .max : 1 << UInt64(count) - 1
  }

  @inlinable @inline(__always)
  func position(of slot: Int) -> Int {
    Int(truncatingIfNeeded: words[slot &>> 3] &>> SlotMap.shift(of: slot) & 255)
  }

  /// Returns the slot at a position, which must be in use.
  @usableFromInline
  func slot(at position: Int) -> Int {
    let wanted = UInt64(truncatingIfNeeded: position) &* SlotMap.ones
    for index in words.indices {
      // Only the byte of the position becomes zero. The lowest of the bits that remain after the
      // subtraction is in the first byte that is zero.
      let different = words[index] ^ wanted
      let zero = (different &- SlotMap.ones) & ~different & SlotMap.highest
      if zero != 0 { return index &<< 3 | zero.trailingZeroBitCount &>> 3 }
    }
    return 0
  }

  /// Assigns a free slot to a position, and moves the slots at and after the position by one.
  @usableFromInline
  mutating func insert(at position: Int) -> Int {
    if !words.isEmpty { shift(from: position, by: 1) }
    return take(for: position)
  }

  /// Assigns a free slot to a position that has no slot.
  @usableFromInline
  mutating func take(for position: Int) -> Int {
    if words.isEmpty { self = SlotMap(count: 0) }
    let slot = (~taken).trailingZeroBitCount
    taken |= 1 &<< UInt64(slot)
    set(slot, to: UInt64(truncatingIfNeeded: position))
    return slot
  }

  /// Frees the slot at a position, and returns the slot.
  @usableFromInline
  mutating func remove(at position: Int) -> Int {
    let slot = slot(at: position)
    taken &= ~(1 &<< UInt64(slot))
    set(slot, to: SlotMap.free)
    shift(from: position, by: .max)
    return slot
  }

  /// Adds one, or subtracts one if the distance is the greatest number, for all positions from
  /// the given position.
  private mutating func shift(from position: Int, by distance: UInt64) {
    let complement = (128 &- UInt64(truncatingIfNeeded: position)) &* SlotMap.ones
    words.withUnsafeMutableBufferPointer { words in
      for index in 0..<SlotMap.capacity / 8 {
        let word = words[index]
        // The highest bit of each byte that is at least the position, and not that of a free slot.
        let moving = (word &+ complement) & ~(word &<< 1) & SlotMap.highest
        words[index] = word &+ (moving &>> 7) &* distance
      }
    }
  }

  @inline(__always)
  private mutating func set(_ slot: Int, to position: UInt64) {
    let shift = SlotMap.shift(of: slot)
    words.withUnsafeMutableBufferPointer { words in
      words[slot &>> 3] = words[slot &>> 3] & ~(255 &<< shift) | position &<< shift
    }
  }

  /// Returns the number of bits before the byte of a slot in its word.
  @inlinable @inline(__always)
  static func shift(of slot: Int) -> UInt64 { UInt64(truncatingIfNeeded: slot & 7) &<< 3 }
}
