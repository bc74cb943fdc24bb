// Changes that a repository keeps.

extension ListViewModel where Repository: AnyEditableListRepository {
  /// Inserts an item at once, and takes it out again if the repository refuses it.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - position: Where to put it; by default at the end.
  /// - Throws: Why it was taken out again.
  public func insert(_ item: ItemType, at position: Int? = nil) async throws(ListFailure) {
    try await model.change(.insert(item, at: position)) { [repository] in try await repository.insert($0) }
  }

  /// Changes the item with an id at once, and changes it back if the repository refuses that.
  ///
  /// - Parameters:
  ///   - id: The item's id; an unknown one changes nothing.
  ///   - change: Changes the item. It may be called several times, and has to do the same each time.
  /// - Throws: Why it was changed back.
  public func update(
    _ id: ItemType.ID, _ change: @escaping @Sendable (inout ItemType) -> Void
  ) async throws(ListFailure) {
    try await model.change(.update(id, change)) { [repository] in try await repository.update($0) }
  }

  /// Deletes the item with an id at once, and puts it back if the repository refuses that.
  ///
  /// - Parameter id: The item's id; an unknown one changes nothing.
  /// - Throws: Why it was put back.
  public func delete(_ id: ItemType.ID) async throws(ListFailure) {
    try await model.change(.delete(id)) { [repository] item in
      try await repository.delete(item)
      return nil
    }
  }
}
