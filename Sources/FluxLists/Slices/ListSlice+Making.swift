public import FluxCore

extension ListSlice {
  /// Creates the slice of a list.
  ///
  /// - Parameters:
  ///   - id: The unique name of the list in the store.
  ///   - path: The key path of the list in the state.
  ///   - repository: The source of the items. The list is loaded in pages if the repository is
  ///     an ``AnyPaginatedListRepository``, and as a whole otherwise.
  ///   - options: Options that control how the list is loaded.
  @inlinable
  public init(
    _ id: ListID, at path: any WritableKeyPath<Root, ListState<Item>> & Sendable,
    from repository: some AnyListRepository<Item>, options: ListOptions<Item> = ListOptions()
  ) {
    self.init(
      ListSource(id, options, ListLoading(repository), PartReader(path)),
      at: .keyPath(path))
  }

  /// Creates the slice of a list that a closure fetches.
  ///
  /// - Parameters:
  ///   - id: The unique name of the list in the store.
  ///   - path: The key path of the list in the state.
  ///   - strategy: The pagination strategy. If the strategy is `nil`, the list is loaded as a
  ///     whole.
  ///   - options: Options that control how the list is loaded.
  ///   - fetch: A closure that fetches a page. The closure runs in a task that is canceled when
  ///     the page is no longer needed.
  @inlinable
  public init(
    _ id: ListID, at path: any WritableKeyPath<Root, ListState<Item>> & Sendable,
    pages strategy: (any PaginationStrategy)? = nil, options: ListOptions<Item> = ListOptions(),
    fetch: @escaping @Sendable (PagePosition) async throws -> ListPage<Item>
  ) {
    self.init(
      ListSource(id, options, ListLoading(strategy: strategy, fetch: fetch), PartReader(path)),
      at: .keyPath(path))
  }

  /// Creates the slice of a list that is accessed with closures instead of a key path.
  ///
  /// Reading the list through a key path to a stored property is as fast as a closure.
  ///
  /// - Parameters:
  ///   - id: The unique name of the list in the store.
  ///   - substate: The location at which the reducer accesses the list in the state.
  ///   - read: A closure that returns the list in a state.
  ///   - repository: The source of the items. The list is loaded in pages if the repository is
  ///     an ``AnyPaginatedListRepository``, and as a whole otherwise.
  ///   - options: Options that control how the list is loaded.
  @inlinable
  public init(
    _ id: ListID, in substate: Substate<Root, ListState<Item>>,
    reading read: @escaping @Sendable (Root) -> ListState<Item>,
    from repository: some AnyListRepository<Item>, options: ListOptions<Item> = ListOptions()
  ) {
    self.init(ListSource(id, options, ListLoading(repository), PartReader(computing: read)), at: substate)
  }
}
