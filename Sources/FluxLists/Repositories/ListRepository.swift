/// A repository that fetches all items of a list with a closure.
///
/// ```swift
/// let viewModel = ListViewModel(repository: ListRepository { try await service.books() })
/// ```
public struct ListRepository<ItemType: Hashable & Identifiable & Sendable>: AnyListRepository
where ItemType.ID: Sendable {
  private let items: @Sendable () async throws -> [ItemType]

  /// Creates a repository.
  ///
  /// - Parameter fetch: A closure that fetches the items. The closure runs in a task that is
  ///   canceled when the items are no longer needed.
  public init(_ fetch: @escaping @Sendable () async throws -> [ItemType]) {
    items = fetch
  }

  /// Fetches the items with the closure.
  public func fetch() async throws -> [ItemType] { try await items() }
}

/// A repository that fetches a list in pages with a closure.
///
/// ```swift
/// let repository = PaginatedListRepository(LimitOffsetPaginationStrategy(limit: 20)) { position in
///   ListPage(try await service.books(limit: 20, offset: position.offset))
/// }
/// ```
public struct PaginatedListRepository<
  ItemType: Hashable & Identifiable & Sendable, Strategy: PaginationStrategy
>: AnyPageRepository where ItemType.ID: Sendable {
  /// The rule that determines the position of the next page and the end of the list.
  public let paginationStrategy: Strategy
  private let page: @Sendable (PagePosition) async throws -> ListPage<ItemType>

  /// Creates a repository.
  ///
  /// - Parameters:
  ///   - strategy: The rule that determines the position of the next page and the end of the
  ///     list.
  ///   - fetch: A closure that fetches a page. The closure runs in a task that is canceled when
  ///     the page is no longer needed.
  public init(
    _ strategy: Strategy, _ fetch: @escaping @Sendable (PagePosition) async throws -> ListPage<ItemType>
  ) {
    paginationStrategy = strategy
    page = fetch
  }

  /// Fetches a page with the closure.
  public func fetchPage(at position: PagePosition) async throws -> ListPage<ItemType> {
    try await page(position)
  }
}
