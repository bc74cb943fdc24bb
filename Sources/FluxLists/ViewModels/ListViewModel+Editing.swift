// Edits that a repository saves.

extension ListViewModel where Repository: AnyEditableListRepository {
  /// Inserts an item immediately, and removes it if the repository throws an error.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - position: The position of the new item. The default is the end of the list.
  /// - Throws: The failure that caused the rollback.
  public func insert(_ item: ItemType, at position: Int? = nil) async throws(ListFailure) {
    try await model.change(.insert(item, at: position)) { [repository] in try await repository.insert($0) }
  }

  /// Changes an item immediately, and restores it if the repository throws an error.
  ///
  /// - Parameters:
  ///   - id: The id of the item. An unknown id changes nothing.
  ///   - change: A closure that changes the item. It can be called several times, and must make
  ///     the same change each time.
  /// - Throws: The failure that caused the rollback.
  public func update(
    _ id: ItemType.ID, _ change: @escaping @Sendable (inout ItemType) -> Void
  ) async throws(ListFailure) {
    try await model.change(.update(id, change)) { [repository] in try await repository.update($0) }
  }

  /// Deletes an item immediately, and restores it if the repository throws an error.
  ///
  /// - Parameter id: The id of the item. An unknown id changes nothing.
  /// - Throws: The failure that caused the rollback.
  public func delete(_ id: ItemType.ID) async throws(ListFailure) {
    try await model.change(.delete(id)) { [repository] item in
      try await repository.delete(item)
      return nil
    }
  }
}
