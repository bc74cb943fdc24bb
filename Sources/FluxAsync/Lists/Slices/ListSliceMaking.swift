import FluxCore

// The ways to make a slice.

extension ListSlice {
  /// Creates the slice of a list that comes all at once.
  ///
  /// - Parameters:
  ///   - id: The name of the list, another one for each list of a store.
  ///   - path: Where the list stands in the state.
  ///   - repository: Where it comes from.
  ///   - options: How it is loaded.
  @_disfavoredOverload
  public init(
    _ id: ListID, at path: any WritableKeyPath<Root, ListState<Item>> & Sendable,
    from repository: some AnyListRepository<Item>, options: ListOptions<Item> = ListOptions()
  ) {
    self.init(id, at: .keyPath(path), reading: { $0[keyPath: path] }, from: ListLoading(repository), options)
  }

  /// Creates the slice of a list that comes in pages.
  ///
  /// - Parameters:
  ///   - id: The name of the list, another one for each list of a store.
  ///   - path: Where the list stands in the state.
  ///   - repository: Where it comes from.
  ///   - options: How it is loaded.
  public init(
    _ id: ListID, at path: any WritableKeyPath<Root, ListState<Item>> & Sendable,
    from repository: some AnyPaginatedListRepository<Item>, options: ListOptions<Item> = ListOptions()
  ) {
    self.init(
      id, at: .keyPath(path), reading: { $0[keyPath: path] }, from: ListLoading(pagesOf: repository), options)
  }

  /// Creates the slice of a list that a closure fetches.
  ///
  /// - Parameters:
  ///   - id: The name of the list, another one for each list of a store.
  ///   - path: Where the list stands in the state.
  ///   - strategy: How the pages are counted; `nil` when there is one.
  ///   - options: How it is loaded.
  ///   - fetch: Fetches a page, in a task that is cancelled when nobody wants the answer any more.
  public init(
    _ id: ListID, at path: any WritableKeyPath<Root, ListState<Item>> & Sendable,
    pages strategy: (any PaginationStrategy)? = nil, options: ListOptions<Item> = ListOptions(),
    fetch: @escaping @Sendable (PagePosition) async throws -> ListPage<Item>
  ) {
    self.init(
      id, at: .keyPath(path), reading: { $0[keyPath: path] },
      from: ListLoading(strategy: strategy, fetch: fetch),
      options)
  }
}
