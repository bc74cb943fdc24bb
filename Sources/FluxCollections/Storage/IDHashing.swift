/// The hashing of ids, with random numbers that differ between processes.
///
/// Numbers are hashed with one multiplication, which takes a tenth of the time of `Hasher`. The
/// random numbers keep a server from choosing ids that have the same hash. If the environment
/// makes the hashes of Swift repeatable, these hashes are also repeatable.
@usableFromInline
struct IDHashing: Sendable {
  @usableFromInline let seed: UInt64
  @usableFromInline let factor: UInt64

  /// The hashing of all lists of the process.
  @usableFromInline static let ofProcess = IDHashing()

  private init() {
    seed = UInt64(truncatingIfNeeded: "seed".hashValue)
    factor = UInt64(truncatingIfNeeded: "factor".hashValue) | 1
  }

  /// Returns the bits of an id's hash that an index stores.
  @inlinable @inline(__always)
  func hash<ID: Hashable>(_ id: ID) -> UInt64 {
    // The comparison of the types avoids a cast where the compiler does not know the type.
    guard ID.self == Int.self, let number = id as? Int else { return hash(value: id.hashValue) }
    let product = (UInt64(truncatingIfNeeded: number) ^ seed).multipliedFullWidth(by: factor)
    return (product.high ^ product.low) &>> Location.width
  }

  /// Returns the highest bits of a hash value, after a multiplication that improves poor hash
  /// values.
  @inlinable @inline(__always)
  func hash(value: Int) -> UInt64 {
    (UInt64(truncatingIfNeeded: value) &* 0x9E37_79B9_7F4A_7C15) &>> Location.width
  }
}
