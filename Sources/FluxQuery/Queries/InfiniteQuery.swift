public import FluxAsync
import FluxCore

/// A query whose result consists of pages, which are fetched one after the other.
///
/// ```swift
/// struct PopularFilms: InfiniteQuery {
///   let firstPage = 1
///
///   func fetchPage(_ number: Int, in context: RequestContext<AppState>) async throws -> FilmPage {
///     try await context.services((any FilmService).self).popular(page: number)
///   }
///
///   func nextPage(after pages: QueryPages<FilmPage, Int>) -> Int? {
///     pages.last.flatMap { $0.isLast ? nil : $0.number + 1 }
///   }
/// }
///
/// store.prefetch(PopularFilms(), .nextPage)
/// ```
///
/// The first request fetches the first page. The condition ``QueryCondition/nextPage`` then fetches
/// the page after the last page. The condition ``QueryCondition/previousPage`` fetches the page
/// before the first page. If a request of the query is already running, no second request begins, so
/// a view can ask for a page as often as it appears.
///
/// The end of the list is not an error. If there is no next page, nothing is fetched. If a request
/// for a page fails, the other pages remain.
///
/// If the query is fetched again, the request fetches all pages of the result in sequence, each
/// with the parameter that the previous page determines. The observers receive the pages together.
///
/// The idea comes from TanStack Query and RTK Query.
public protocol InfiniteQuery<Page, PageParameter>: Query
where Value == QueryPages<Page, PageParameter> {
  // The compiler infers the types of a query from requirements of the same protocol.
  associatedtype State
  associatedtype Value = QueryPages<Page, PageParameter>
  /// The type of one page.
  associatedtype Page: Sendable
  /// The type that identifies a page for the server, such as a number, an offset, or a cursor.
  associatedtype PageParameter: Hashable & Sendable

  /// The parameter of the page that the first request fetches.
  var firstPage: PageParameter { get }

  /// Fetches one page from the server.
  func fetchPage(_ parameter: PageParameter, in context: RequestContext<State>) async throws -> Page

  /// Returns the parameter of the page after the last page, or `nil` if the last page is the end.
  func nextPage(after pages: QueryPages<Page, PageParameter>) -> PageParameter?

  /// Returns the parameter of the page before the first page, or `nil` if the first page is the
  /// beginning.
  ///
  /// The default is `nil`.
  func previousPage(before pages: QueryPages<Page, PageParameter>) -> PageParameter?

  /// The number of pages that the result contains at most, or `nil` for all pages.
  ///
  /// If a page is added at one side of a full result, a page at the other side is removed. It can
  /// be fetched again if ``previousPage(before:)`` returns its parameter. A value less than 1
  /// counts as 1. The default is `nil`.
  ///
  /// A written result can exceed the limit. When the query is fetched again, the request fetches
  /// only as many pages as the limit allows, beginning with the first page of the result.
  var maximumPages: Int? { get }

  /// A Boolean value that indicates whether a request that fetches the query again fetches all
  /// pages.
  ///
  /// If the value is `false`, the request fetches only the first page of the result, which then
  /// replaces all pages. The default is `true`.
  var refetchesAllPages: Bool { get }
}

extension InfiniteQuery {
  /// Returns `nil`, because the first page is the beginning.
  public func previousPage(before pages: QueryPages<Page, PageParameter>) -> PageParameter? { nil }

  /// The default number of pages, which is unlimited.
  public var maximumPages: Int? { nil }

  /// The default, which is `true`.
  public var refetchesAllPages: Bool { true }

  /// Fetches the first page.
  public func fetch(in context: RequestContext<State>) async throws -> QueryPages<Page, PageParameter> {
    try await fetch(from: firstPage, count: 1, in: context)
  }

  /// Fetches one page, or all pages again, from the pages that the cache contains.
  nonisolated(nonsending) public func _fetch(
    _ page: PageDirection?, in context: TaskContext<Void>, as id: RequestID
  ) async throws -> (value: any Sendable, tags: Set<QueryTag>) {
    let request = try RequestContext<State>(ofQuery: context, id)
    let cache = request.store.context.queryCoordinator.cache?.state
    let pages = cache?.contents.value.confirmedValue(of: QueryKey(self)) as? Value
    let fetched = try await fetch(page, from: pages, in: request)
    return (fetched, tags(for: .success(fetched)))
  }

  /// The maximum number of pages in the result, which is at least 1.
  private var limit: Int { max(1, maximumPages ?? .max) }

  private func fetch(
    _ direction: PageDirection?, from pages: Value?, in context: RequestContext<State>
  ) async throws -> Value {
    guard var pages, let first = pages.parameters.first else { return try await fetch(in: context) }
    guard let direction else {
      let count = refetchesAllPages ? min(pages.count, limit) : 1
      return try await fetch(from: first, count: count, in: context)
    }
    if let parameter = pages.parameter(direction) {
      let page = try await fetchPage(parameter, in: context)
      pages.add(page, at: parameter, direction, atMost: limit)
      pages.determineEnds(by: self)
    }
    return pages
  }

  /// Fetches pages in sequence, until there are enough or the last page is the end.
  private func fetch(
    from first: PageParameter, count: Int, in context: RequestContext<State>
  ) async throws -> Value {
    var pages = Value([])
    var following: PageParameter? = first
    while let parameter = following, pages.count < count {
      pages.add(try await fetchPage(parameter, in: context), at: parameter, .next, atMost: limit)
      following = nextPage(after: pages)
    }
    pages.determineEnds(by: self)
    return pages
  }

  /// Returns the page at a side of the result, or the whole result.
  public func _fetchedPart(of value: any Sendable, _ page: PageDirection?) -> any Sendable {
    guard let page, let pages = value as? Value else { return value }
    return pages.only(page)
  }

  /// Returns a Boolean value that indicates whether the result has a page at a side.
  public func _hasPage(_ direction: PageDirection, in value: any Sendable) -> Bool {
    (value as? Value)?.parameter(direction) != nil
  }
}
