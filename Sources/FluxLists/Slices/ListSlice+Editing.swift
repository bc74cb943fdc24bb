import FluxAsync

// The actions for optimistic edits. A list shows an optimistic edit immediately, and rolls the
// edit back if the commit fails.

extension ListSlice {
  /// Returns an action that inserts an item immediately, and removes it if the commit fails.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - position: The position of the new item. The default is the end of the list.
  ///   - commit: A closure that sends the item to a server. The closure returns `nil`, or the
  ///     saved item, which can have a different id.
  public func insert(
    _ item: Item, at position: Int? = nil, commit: @escaping @Sendable (Item) async throws -> Item?
  ) -> ListEdit<Item> {
    ListEdit(.insert(item, at: position), of: source, commit)
  }

  /// Returns an action that changes an item immediately, and restores it if the commit fails.
  ///
  /// - Parameters:
  ///   - id: The id of the item.
  ///   - change: A closure that changes the item. The closure can be called several times, and
  ///     must make the same change each time.
  ///   - commit: A closure that sends the changed item to a server, and returns the saved item
  ///     or `nil`.
  public func update(
    _ id: Item.ID, _ change: @escaping @Sendable (inout Item) -> Void,
    commit: @escaping @Sendable (Item) async throws -> Item?
  ) -> ListEdit<Item> {
    ListEdit(.update(id, change), of: source, commit)
  }

  /// Returns an action that deletes an item immediately, and restores it if the commit fails.
  ///
  /// - Parameters:
  ///   - id: The id of the item.
  ///   - commit: A closure that deletes the item on a server.
  public func delete(
    _ id: Item.ID, commit: @escaping @Sendable (Item) async throws -> Void
  ) -> ListEdit<Item> {
    ListEdit(.delete(id), of: source) { item in
      try await commit(item)
      return nil
    }
  }

  // MARK: By a repository

  /// Returns an action that inserts an item immediately, and removes it if the repository throws
  /// an error.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - position: The position of the new item. The default is the end of the list.
  ///   - repository: The repository that saves the item.
  public func insert(
    _ item: Item, at position: Int? = nil, in repository: some AnyEditableListRepository<Item>
  ) -> ListEdit<Item> {
    insert(item, at: position) { try await repository.insert($0) }
  }

  /// Returns an action that changes an item immediately, and restores it if the repository
  /// throws an error.
  ///
  /// - Parameters:
  ///   - id: The id of the item.
  ///   - repository: The repository that saves the change.
  ///   - change: A closure that changes the item. The closure can be called several times, and
  ///     must make the same change each time.
  public func update(
    _ id: Item.ID, in repository: some AnyEditableListRepository<Item>,
    _ change: @escaping @Sendable (inout Item) -> Void
  ) -> ListEdit<Item> {
    update(id, change) { try await repository.update($0) }
  }

  /// Returns an action that deletes an item immediately, and restores it if the repository
  /// throws an error.
  ///
  /// - Parameters:
  ///   - id: The id of the item.
  ///   - repository: The repository that deletes the item.
  public func delete(
    _ id: Item.ID, in repository: some AnyEditableListRepository<Item>
  ) -> ListEdit<Item> {
    delete(id) { try await repository.delete($0) }
  }
}
