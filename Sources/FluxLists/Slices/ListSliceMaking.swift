import FluxAsync
public import FluxCore

// The ways to make a slice.

extension ListSlice {
  /// Creates the slice of a list.
  ///
  /// - Parameters:
  ///   - id: The name of the list, another one for each list of a store.
  ///   - path: Where the list stands in the state.
  ///   - repository: Where it comes from: in pages, if it is an ``AnyPaginatedListRepository``, and else all
  ///     at once.
  ///   - options: How it is loaded.
  public init(
    _ id: ListID, at path: any WritableKeyPath<Root, ListState<Item>> & Sendable,
    from repository: some AnyListRepository<Item>, options: ListOptions<Item> = ListOptions()
  ) {
    self.init(
      ListSource(id, repository, options) { ($0 as? Root)?[keyPath: path] }, at: .keyPath(path))
  }

  /// Creates the slice of a list that a closure fetches.
  ///
  /// - Parameters:
  ///   - id: The name of the list, another one for each list of a store.
  ///   - path: Where the list stands in the state.
  ///   - strategy: How the pages are counted; `nil` when all comes at once.
  ///   - options: How it is loaded.
  ///   - fetch: Fetches a page, in a task that is cancelled when nobody wants the answer any more.
  public init(
    _ id: ListID, at path: any WritableKeyPath<Root, ListState<Item>> & Sendable,
    pages strategy: (any PaginationStrategy)? = nil, options: ListOptions<Item> = ListOptions(),
    fetch: @escaping @Sendable (PagePosition) async throws -> ListPage<Item>
  ) {
    self.init(
      ListSource(
        id: id, options: options, repository: ListLoading(strategy: strategy, fetch: fetch),
        read: { ($0 as? Root)?[keyPath: path] }),
      at: .keyPath(path))
  }

  /// Creates the slice of a list that stands where closures say, which is quicker than a key path.
  ///
  /// - Parameters:
  ///   - id: The name of the list, another one for each list of a store.
  ///   - substate: Where the list stands in the state, for the reducer.
  ///   - read: Gives the list.
  ///   - repository: Where it comes from: in pages, if it is an ``AnyPaginatedListRepository``, and else all
  ///     at once.
  ///   - options: How it is loaded.
  public init(
    _ id: ListID, in substate: Substate<Root, ListState<Item>>,
    reading read: @escaping @Sendable (Root) -> ListState<Item>,
    from repository: some AnyListRepository<Item>, options: ListOptions<Item> = ListOptions()
  ) {
    self.init(ListSource(id, repository, options) { ($0 as? Root).map(read) }, at: substate)
  }
}

extension ListSource {
  init(
    _ id: ListID, _ repository: some AnyListRepository<Item>, _ options: ListOptions<Item>,
    reading read: @escaping @Sendable (any FluxState) -> ListState<Item>?
  ) {
    self.init(id: id, options: options, repository: ListLoading(repository), read: read)
  }
}
