/// How pages of a list are asked for, and how the end of the list is known.
///
/// There are ``LimitOffsetPaginationStrategy``, ``PageNumberPaginationStrategy`` and
/// ``CursorPaginationStrategy``. One of your own says how a page leads to the next:
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
/// A strategy is a rule. How far a list has got stands in its ``ListState``; the ``standing`` mirrors it, for
/// those who ask the repository. So make one strategy for each repository, and not one for several. The name
/// is RepositoryList's.
public protocol PaginationStrategy: Sendable {
  /// How far the list has got, for those who ask the repository.
  var standing: PaginationStanding { get }

  /// Where the next page begins; `nil` after the last.
  ///
  /// - Parameter page: The page that has come.
  func nextPage(after page: LoadedPage) -> PagePosition?
}

extension PaginationStrategy {
  /// Inside `fetch()` where the page begins that is asked for; elsewhere where the next one does, or past the
  /// end.
  public var position: PagePosition { PageInFlight.current?.position ?? standing.position }

  /// How many pages are loaded.
  public var currentPage: Int { position.number }

  /// Whether there is no page left.
  public var isLastPageLoaded: Bool { PageInFlight.current == nil && standing.hasReachedEnd }

  /// Says how many items the server has in all pages: to be called inside `fetch()`.
  ///
  /// Elsewhere it does nothing.
  public func note(total: Int) {
    PageInFlight.current?.note { $0.total = total }
  }

  /// Says what the server calls the next page, `nil` if there is none: to be called inside `fetch()`.
  ///
  /// Elsewhere it does nothing.
  public func note(nextCursor: String?) {
    PageInFlight.current?.note { $0.nextCursor = nextCursor }
  }
}
