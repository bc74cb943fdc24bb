/// A repository that is made of a closure, all items at once.
///
/// ```swift
/// let viewModel = ListViewModel(repository: ListRepository { try await service.books() })
/// ```
public struct ListRepository<ItemType: Hashable & Identifiable & Sendable>: AnyListRepository
where ItemType.ID: Sendable {
  private let items: @Sendable () async throws -> [ItemType]

  /// Creates a repository.
  ///
  /// - Parameter fetch: Fetches the items, in a task that is cancelled when nobody wants them any more.
  public init(_ fetch: @escaping @Sendable () async throws -> [ItemType]) {
    items = fetch
  }

  /// Fetches the items by the closure.
  public func fetch() async throws -> [ItemType] { try await items() }
}

/// A repository that is made of a closure, page by page.
///
/// ```swift
/// let repository = PaginatedListRepository(LimitOffsetPaginationStrategy(limit: 20)) { position in
///   ListPage(try await service.books(limit: 20, offset: position.offset))
/// }
/// ```
public struct PaginatedListRepository<
  ItemType: Hashable & Identifiable & Sendable, Strategy: PaginationStrategy
>: AnyPageRepository where ItemType.ID: Sendable {
  /// How pages are asked for, and how the end is known.
  public let paginationStrategy: Strategy
  private let page: @Sendable (PagePosition) async throws -> ListPage<ItemType>

  /// Creates a repository.
  ///
  /// - Parameters:
  ///   - strategy: How pages are asked for, and how the end is known.
  ///   - fetch: Fetches a page, in a task that is cancelled when nobody wants it any more.
  public init(
    _ strategy: Strategy, _ fetch: @escaping @Sendable (PagePosition) async throws -> ListPage<ItemType>
  ) {
    paginationStrategy = strategy
    page = fetch
  }

  /// Fetches a page by the closure.
  public func fetchPage(at position: PagePosition) async throws -> ListPage<ItemType> {
    try await page(position)
  }
}
