/// A rule that determines the position of the next page and the end of a list.
///
/// The available strategies are ``LimitOffsetPaginationStrategy``,
/// ``PageNumberPaginationStrategy``, and ``CursorPaginationStrategy``. A custom strategy
/// computes the position of the next page from a loaded page:
///
/// ```swift
/// struct Weeks: PaginationStrategy {
///   let standing = PaginationStanding()
///
///   func nextPage(after page: LoadedPage) -> PagePosition? {
///     page.position.number < 51 ? page.following : nil
///   }
/// }
/// ```
///
/// The ``ListState`` contains the progress of the list, and the ``standing`` of the strategy
/// mirrors the progress for the repository. A strategy mirrors the progress of only one list, so
/// create a separate strategy for each repository. The name of the protocol comes from
/// RepositoryList.
public protocol PaginationStrategy: Sendable {
  /// The progress of the list, in a form that the repository can read.
  var standing: PaginationStanding { get }

  /// Returns the position of the page that follows a loaded page, or `nil` if the loaded page is
  /// the last.
  ///
  /// - Parameter page: The page that was loaded.
  func nextPage(after page: LoadedPage) -> PagePosition?
}

extension PaginationStrategy {
  /// The position of the page that `fetch()` must fetch.
  ///
  /// Outside `fetch()`, the value is the position of the next page, or the position after the
  /// last page.
  public var position: PagePosition { PageInFlight.current?.position ?? standing.position }

  /// The number of loaded pages.
  public var currentPage: Int { position.number }

  /// A Boolean value that indicates whether the last page is loaded.
  ///
  /// Inside `fetch()`, the value is `false`.
  public var isLastPageLoaded: Bool { PageInFlight.current == nil && standing.hasReachedEnd }

  /// Records the number of items in all pages.
  ///
  /// Call this method inside `fetch()`. Outside `fetch()`, the method has no effect.
  public func note(total: Int) {
    PageInFlight.current?.note { $0.total = total }
  }

  /// Records the cursor of the next page, or `nil` if there is no next page.
  ///
  /// Call this method inside `fetch()`. Outside `fetch()`, the method has no effect.
  public func note(nextCursor: String?) {
    PageInFlight.current?.note { $0.nextCursor = nextCursor }
  }
}

/// A strategy for servers that accept a limit and an offset.
///
/// The list ends when a page has fewer items than the limit, or when the list reaches the total
/// that the server returned. The name of the strategy comes from RepositoryList.
public struct LimitOffsetPaginationStrategy: PaginationStrategy {
  /// The number of items in a page.
  public let limit: Int
  /// The progress of the list, in a form that the repository can read.
  public let standing = PaginationStanding()

  /// Creates a strategy.
  ///
  /// - Parameter limit: The number of items in a page. A value less than 1 counts as 1.
  public init(limit: Int) {
    self.limit = max(1, limit)
  }

  /// The number of items before the page to fetch.
  public var offset: Int { position.offset }

  /// Returns the position of the page that follows a loaded page, or `nil` if the loaded page is
  /// the last.
  ///
  /// A page is the last page if it has fewer items than the limit, or if it reaches the total.
  public func nextPage(after page: LoadedPage) -> PagePosition? {
    page.count < limit || page.reachesTotal ? nil : page.following
  }
}

/// A strategy for servers that number their pages.
///
/// The list ends when a page is empty or has fewer items than the page size, or when the list
/// reaches the total that the server returned.
public struct PageNumberPaginationStrategy: PaginationStrategy {
  /// The number of the first page.
  public let firstPage: Int
  /// The number of items in a page, if the number is known.
  public let pageSize: Int?
  /// The progress of the list, in a form that the repository can read.
  public let standing = PaginationStanding()

  /// Creates a strategy.
  ///
  /// - Parameters:
  ///   - firstPage: The number of the first page.
  ///   - pageSize: The number of items in a page. If the value is `nil`, the list ends when a
  ///     page is empty, or when the list reaches the total.
  public init(firstPage: Int = 1, pageSize: Int? = nil) {
    self.firstPage = firstPage
    self.pageSize = pageSize.map { max(1, $0) }
  }

  /// The number of the page to fetch.
  public var page: Int { number(of: position) }

  /// Returns the number of the page that begins at a position.
  public func number(of position: PagePosition) -> Int { firstPage + position.number }

  /// Returns the position of the page that follows a loaded page, or `nil` if the loaded page is
  /// the last.
  public func nextPage(after page: LoadedPage) -> PagePosition? {
    page.count < pageSize ?? 1 || page.reachesTotal ? nil : page.following
  }
}

/// A strategy for servers that return each page with a cursor for the next page.
///
/// The list ends when the server returns no cursor. An empty page with a cursor is not the last
/// page.
public struct CursorPaginationStrategy: PaginationStrategy {
  /// The progress of the list, in a form that the repository can read.
  public let standing = PaginationStanding()

  /// Creates a strategy.
  public init() {}

  /// The cursor of the page to fetch, or `nil` for the first page.
  public var cursor: String? { position.cursor }

  /// Returns the position of the next page, or `nil` if the server returned no cursor.
  public func nextPage(after page: LoadedPage) -> PagePosition? {
    page.nextCursor == nil ? nil : page.following
  }
}
