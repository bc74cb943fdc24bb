/// Where an element is kept: a leaf, by number, and a slot in it, which stays the same while the leaf's other
/// elements come and go.
@usableFromInline
struct Location: Equatable, Sendable {
  /// The leaf's number, and below it six bits of the slot.
  @usableFromInline let bits: UInt64

  /// How many bits of an index entry a location takes; the others are the hash's.
  @inlinable static var width: UInt64 { 34 }

  @inlinable @inline(__always)
  init(leaf: Int, slot: Int) {
    bits = UInt64(truncatingIfNeeded: leaf &<< 6 | slot)
  }

  @inlinable @inline(__always)
  init(entry: UInt64) {
    bits = entry & (1 &<< Location.width &- 1)
  }

  @inlinable @inline(__always) var leaf: Int { Int(truncatingIfNeeded: bits &>> 6) }
  @inlinable @inline(__always) var slot: Int { Int(truncatingIfNeeded: bits & 63) }
}
