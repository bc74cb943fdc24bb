/// A strategy for servers that accept a limit and an offset.
///
/// The list ends when a page has fewer items than the limit, or when the list reaches the total
/// that the server returned. The name comes from RepositoryList.
public struct LimitOffsetPaginationStrategy: PaginationStrategy {
  /// The number of items of a page.
  public let limit: Int
  /// The progress of the list, which the repository can read.
  public let standing = PaginationStanding()

  /// Creates a strategy.
  ///
  /// - Parameter limit: The number of items of a page. Values below 1 count as 1.
  public init(limit: Int) {
    self.limit = max(1, limit)
  }

  /// The number of items before the page to fetch.
  public var offset: Int { position.offset }

  /// Returns the position of the next page, or `nil` after the last page.
  ///
  /// A page is the last page if it has fewer items than the limit, or if it reaches the total.
  public func nextPage(after page: LoadedPage) -> PagePosition? {
    page.count < limit || page.reachesTotal ? nil : page.following
  }
}
