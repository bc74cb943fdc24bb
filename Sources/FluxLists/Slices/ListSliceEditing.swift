import FluxAsync

// Changes that are shown at once, and undone if they are refused.

extension ListSlice {
  /// Inserts an item at once, and takes it out again if a server refuses it.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - position: Where to put it; by default at the end.
  ///   - commit: Tells the server; gives the item as it is kept, which may have been given another id, or
  ///     `nil`.
  public func insert(
    _ item: Item, at position: Int? = nil, commit: @escaping @Sendable (Item) async throws -> Item?
  ) -> ListEdit<Item> {
    ListEdit(.insert(item, at: position), of: source, commit)
  }

  /// Changes the item with an id at once, and changes it back if a server refuses that.
  ///
  /// - Parameters:
  ///   - id: The item's id.
  ///   - change: Changes the item. It may be called several times, and has to do the same each time.
  ///   - commit: Tells the server of the changed item; gives it as it is kept, or `nil`.
  public func update(
    _ id: Item.ID, _ change: @escaping @Sendable (inout Item) -> Void,
    commit: @escaping @Sendable (Item) async throws -> Item?
  ) -> ListEdit<Item> {
    ListEdit(.update(id, change), of: source, commit)
  }

  /// Deletes the item with an id at once, and puts it back if a server refuses that.
  ///
  /// - Parameters:
  ///   - id: The item's id.
  ///   - commit: Tells the server.
  public func delete(
    _ id: Item.ID, commit: @escaping @Sendable (Item) async throws -> Void
  ) -> ListEdit<Item> {
    ListEdit(.delete(id), of: source) { item in
      try await commit(item)
      return nil
    }
  }

  // MARK: By a repository

  /// Inserts an item at once, and takes it out again if a repository refuses it.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - position: Where to put it; by default at the end.
  ///   - repository: What keeps it.
  public func insert(
    _ item: Item, at position: Int? = nil, in repository: some AnyEditableListRepository<Item>
  ) -> ListEdit<Item> {
    insert(item, at: position) { try await repository.insert($0) }
  }

  /// Changes the item with an id at once, and changes it back if a repository refuses that.
  ///
  /// - Parameters:
  ///   - id: The item's id.
  ///   - repository: What keeps it.
  ///   - change: Changes the item. It may be called several times, and has to do the same each time.
  public func update(
    _ id: Item.ID, in repository: some AnyEditableListRepository<Item>,
    _ change: @escaping @Sendable (inout Item) -> Void
  ) -> ListEdit<Item> {
    update(id, change) { try await repository.update($0) }
  }

  /// Deletes the item with an id at once, and puts it back if a repository refuses that.
  ///
  /// - Parameters:
  ///   - id: The item's id.
  ///   - repository: What keeps it.
  public func delete(
    _ id: Item.ID, in repository: some AnyEditableListRepository<Item>
  ) -> ListEdit<Item> {
    delete(id) { try await repository.delete($0) }
  }
}
