/// Pages of so many items, from the item on that comes after so many.
///
/// The list ends when a page is shorter than the limit, or when the server's total is reached. The name is
/// RepositoryList's.
public struct LimitOffsetPaginationStrategy: PaginationStrategy {
  /// How many items to ask for.
  public let limit: Int
  /// How far the list has got, for those who ask the repository.
  public let standing = PaginationStanding()

  /// Creates a strategy.
  ///
  /// - Parameter limit: How many items a page has; less than one counts as one.
  public init(limit: Int) {
    self.limit = max(1, limit)
  }

  /// After how many items the page begins.
  public var offset: Int { position.offset }

  /// Where the next page begins; `nil` after a page that is shorter than the limit, or that reaches the
  /// total.
  public func nextPage(after page: LoadedPage) -> PagePosition? {
    page.count < limit || page.reachesTotal ? nil : page.following
  }
}
