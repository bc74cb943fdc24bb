/// A source that fetches the items of a list in pages.
///
/// ```swift
/// final class BooksRepository: AnyPaginatedListRepository {
///   let paginationStrategy = LimitOffsetPaginationStrategy(limit: 20)
///
///   func fetch() async throws -> [Book] {
///     try await service.books(limit: paginationStrategy.limit, offset: paginationStrategy.offset)
///   }
/// }
/// ```
///
/// Inside `fetch()`, the strategy returns the position of the page to fetch, even if other loads
/// are running. Outside `fetch()`, the strategy returns the progress of the view model's list.
/// The name of the protocol comes from RepositoryList.
public protocol AnyPaginatedListRepository<ItemType>: AnyListRepository {
  /// The type of the pagination strategy.
  associatedtype Strategy: PaginationStrategy

  /// The rule that determines the position of the next page and the end of the list.
  var paginationStrategy: Strategy { get }

  /// Fetches a page.
  ///
  /// The default implementation calls `fetch()`. While `fetch()` runs, the strategy returns the
  /// position of the page.
  ///
  /// - Parameter position: The position of the page.
  func fetchPage(at position: PagePosition) async throws -> ListPage<ItemType>
}

extension AnyPaginatedListRepository {
  /// Returns `true` until the last page is loaded.
  public func shouldFetch() -> Bool { !paginationStrategy.isLastPageLoaded }

  /// Fetches a page by calling `fetch()`.
  public func fetchPage(at position: PagePosition) async throws -> ListPage<ItemType> {
    let page = PageInFlight(at: position)
    let items = try await PageInFlight.$current.withValue(page) { try await fetch() }
    return page.with(items)
  }

  /// The number of loaded pages of the list.
  ///
  /// Inside `fetch()`, the value is the number of pages before the page to fetch.
  public var currentPage: Int { paginationStrategy.currentPage }
}

/// A repository that receives the position of the page to fetch as a parameter.
///
/// ```swift
/// struct Notes: AnyPageRepository {
///   let paginationStrategy = CursorPaginationStrategy()
///
///   func fetchPage(at position: PagePosition) async throws -> ListPage<Note> {
///     let answer = try await service.notes(after: position.cursor)
///     return ListPage(answer.notes, total: answer.total, nextCursor: answer.next)
///   }
/// }
/// ```
public protocol AnyPageRepository<ItemType>: AnyPaginatedListRepository {
  // The compiler can infer the type from `fetchPage(at:)` only because this protocol repeats the
  // declaration.
  /// The type of the items.
  associatedtype ItemType

  /// Fetches a page.
  ///
  /// - Parameter position: The position of the page.
  func fetchPage(at position: PagePosition) async throws -> ListPage<ItemType>
}

extension AnyPageRepository {
  // Without this declaration, the default implementations of `fetch()` and `fetchPage(at:)`
  // would call each other.
  /// Causes a compiler error if `fetchPage(at:)` is not implemented.
  @available(*, unavailable, message: "A page repository must implement fetchPage(at:).")
  public func fetchPage(at position: PagePosition) async throws -> ListPage<ItemType> { ListPage([]) }

  /// Fetches the page at the position of the strategy.
  public func fetch() async throws -> [ItemType] {
    try await fetchPage(at: paginationStrategy.position).items
  }
}
