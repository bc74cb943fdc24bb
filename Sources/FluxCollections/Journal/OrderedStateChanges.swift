extension OrderedState {
  /// The identity of this version, which copies share and each change replaces.
  ///
  /// Lists that were created empty, or emptied by ``removeAll()``, have the same stamp.
  ///
  /// An operation that changes nothing, such as the removal of an unknown id, keeps the stamp.
  /// Setting an element to its current value counts as a change. O(1).
  @inlinable public var stamp: VersionStamp { storage.stamp }

  /// Returns the ids that were inserted, removed, changed, or moved since an earlier version of
  /// this list.
  ///
  /// The ids are unique, and in the order of their first change. The result is `nil` if the
  /// changes are not known. The changes are known from earlier versions of this list, and of the
  /// list from which it was copied, for at least the last thousand changed ids. They are not
  /// known from versions before an initializer, ``removeAll()``, ``setAll(_:)``, or a sort. If
  /// the result is `nil`, compare the versions with ``difference(from:)``. An element whose
  /// position changes only because of other elements does not count as moved.
  ///
  /// O(k) for k changes since the earlier version.
  @inlinable
  public func changedIDs(since stamp: VersionStamp) -> [Element.ID]? {
    stamp == self.stamp ? [] : storage.journal.changes(since: stamp)
  }
}
