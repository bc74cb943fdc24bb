import Synchronization

/// The identity of a version of an ``OrderedState``, which is unique in the process.
///
/// Two lists with the same stamp have the same elements in the same order. Lists with different
/// stamps can also be equal. Lists that were created empty, or emptied by
/// ``OrderedState/removeAll()``, share a stamp. Comparing two stamps takes O(1) time. Stamps do
/// not affect the equality, the hash value, or the encoded form of a list, and have no meaning in
/// another process.
public struct VersionStamp: Hashable, Sendable {
  @usableFromInline let value: UInt64

  private static let last = Atomic<UInt64>(0)

  /// The stamp of lists that were created empty.
  ///
  /// Because all empty lists share this stamp, `state.books ?? []` is recognized as unchanged in
  /// O(1) time.
  @inlinable static var empty: VersionStamp { VersionStamp(value: 0) }

  /// Returns a new, unique stamp.
  @usableFromInline
  static func next() -> VersionStamp {
    VersionStamp(value: last.wrappingAdd(1, ordering: .relaxed).newValue)
  }

  @inlinable
  init(value: UInt64) {
    self.value = value
  }
}
