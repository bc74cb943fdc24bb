public import FluxAsync
public import FluxLists

/// An infinite query whose pages a pagination strategy determines.
///
/// ```swift
/// struct NewestFilms: PaginatedQuery {
///   var pagination: LimitOffsetPaginationStrategy { LimitOffsetPaginationStrategy(limit: 20) }
///
///   func fetchPage(
///     _ position: PagePosition, in context: RequestContext<AppState>
///   ) async throws -> ListPage<Film> {
///     let service = try context.services((any FilmService).self)
///     return ListPage(try await service.newest(limit: pagination.limit, offset: position.offset))
///   }
/// }
///
/// let films = state.data?.flatMap(\.items)
/// ```
///
/// The strategy determines the position of the next page and the end of the list. The strategies
/// are `LimitOffsetPaginationStrategy`, `PageNumberPaginationStrategy`, and
/// `CursorPaginationStrategy`, which lists also use. A query does not use the progress that a
/// strategy mirrors for a repository.
///
/// A list that begins in the middle implements ``InfiniteQuery/firstPage`` and
/// ``InfiniteQuery/previousPage(before:)``. The defaults begin with the first page of the server.
public protocol PaginatedQuery<Item>: InfiniteQuery
where Page == ListPage<Item>, PageParameter == PagePosition {
  // The compiler infers the types of a query from requirements of the same protocol.
  associatedtype State
  associatedtype Page = ListPage<Item>
  associatedtype PageParameter = PagePosition
  associatedtype Value = QueryPages<ListPage<Item>, PagePosition>
  /// The type of one item of a page.
  associatedtype Item: Sendable
  /// The type of the rule that determines the next page.
  associatedtype Strategy: PaginationStrategy

  /// The rule that determines the next page.
  var pagination: Strategy { get }

  /// Fetches one page from the server.
  ///
  /// The position contains the number of the page, the number of items before the page, and the
  /// cursor of the page. Use the value that the server supports.
  func fetchPage(
    _ position: PagePosition, in context: RequestContext<State>
  ) async throws -> ListPage<Item>
}

extension PaginatedQuery {
  /// The beginning of the list.
  public var firstPage: PagePosition { .first }

  /// Returns the position that the strategy determines, or `nil` if the last page is the end.
  ///
  /// If the server returns the number of all items only with some pages, the last of these pages
  /// in the result counts. A page that ``InfiniteQuery/maximumPages`` has removed does not count.
  public func nextPage(after pages: QueryPages<ListPage<Item>, PagePosition>) -> PagePosition? {
    guard let page = pages.last, let position = pages.parameters.last else { return nil }
    let total = pages.last { $0.total != nil }?.total
    return pagination.nextPage(after: LoadedPage(page, at: position, of: total))
  }
}
