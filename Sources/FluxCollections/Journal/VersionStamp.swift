import Synchronization

/// Names one version of one ``OrderedState``, unique in the process.
///
/// Two lists with the same stamp have the same elements in the same order; lists with different stamps may be
/// equal all the same. Lists that were created empty, or emptied at once, share one. Stamps compare in O(1). They are no part of a list's `==`, hash value or coded form,
/// and mean nothing in another process.
public struct VersionStamp: Hashable, Sendable {
  @usableFromInline let value: UInt64

  private static let last = Atomic<UInt64>(0)

  /// That of lists that were created empty, which are all the same: of `state.books ?? []` it can be told in O(1) that
  /// nothing has changed.
  @inlinable static var empty: VersionStamp { VersionStamp(value: 0) }

  /// A stamp that nobody has had.
  @usableFromInline
  static func next() -> VersionStamp {
    VersionStamp(value: last.wrappingAdd(1, ordering: .relaxed).newValue)
  }

  @inlinable
  init(value: UInt64) {
    self.value = value
  }
}
