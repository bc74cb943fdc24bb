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
/// The ``ListState`` contains the progress of the list. The ``standing`` of the strategy mirrors
/// this progress for the repository. Therefore create one strategy for each repository; do not
/// share a strategy. The name comes from RepositoryList.
public protocol PaginationStrategy: Sendable {
  /// The progress of the list, which the repository can read.
  var standing: PaginationStanding { get }

  /// Returns the position of the next page, or `nil` after the last page.
  ///
  /// - Parameter page: The page that was loaded.
  func nextPage(after page: LoadedPage) -> PagePosition?
}

extension PaginationStrategy {
  /// The position of the page that `fetch()` must fetch.
  ///
  /// Outside `fetch()`, this is the position of the next page, or the end of the last page.
  public var position: PagePosition { PageInFlight.current?.position ?? standing.position }

  /// The number of loaded pages.
  public var currentPage: Int { position.number }

  /// A Boolean value that indicates whether the last page is loaded.
  ///
  /// Inside `fetch()`, the value is `false`.
  public var isLastPageLoaded: Bool { PageInFlight.current == nil && standing.hasReachedEnd }

  /// Records the number of items in all pages.
  ///
  /// Call this method inside `fetch()`. Outside `fetch()` it has no effect.
  public func note(total: Int) {
    PageInFlight.current?.note { $0.total = total }
  }

  /// Records the cursor of the next page, or `nil` if there is no next page.
  ///
  /// Call this method inside `fetch()`. Outside `fetch()` it has no effect.
  public func note(nextCursor: String?) {
    PageInFlight.current?.note { $0.nextCursor = nextCursor }
  }
}
