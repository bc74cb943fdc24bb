/// The location of an element, which consists of the number of a leaf and a slot in the leaf.
///
/// The slot stays the same when other elements of the leaf are inserted or removed.
@usableFromInline
struct Location: Equatable, Sendable {
  /// The number of the leaf, followed by six bits for the slot.
  @usableFromInline let bits: UInt64

  /// The number of bits of an index entry that contain the location.
  ///
  /// The other bits of the entry contain a part of the hash.
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
