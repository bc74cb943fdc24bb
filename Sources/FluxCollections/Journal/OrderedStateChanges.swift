extension OrderedState {
  /// The name of this version: another one after each change, the same in all copies.
  ///
  /// Lists that were created empty, or emptied by ``removeAll()``, have the same.
  ///
  /// An operation that changes nothing, such as removing an unknown id, leaves it as it is. One that sets an
  /// element to what it is already counts as a change. O(1).
  @inlinable public var stamp: VersionStamp { storage.stamp }

  /// The ids that were inserted, removed, changed or moved since an earlier version of this list, each once,
  /// in the order of their first change; `nil` if that is not known.
  ///
  /// It is known for the versions that this list, or the one it was copied from, has been through, as far
  /// back as a thousand changed ids. A list made by an initialiser, ``removeAll()``, ``setAll(_:)`` or
  /// sorting knows of none before. Those who get `nil` have to compare, as ``difference(from:)`` does.
  /// Elements that make room for others have not moved.
  ///
  /// O(k) for k changes since then.
  @inlinable
  public func changedIDs(since stamp: VersionStamp) -> [Element.ID]? {
    stamp == self.stamp ? [] : storage.journal.changes(since: stamp)
  }
}
