/// A strategy for servers that number their pages.
///
/// The list ends with an empty page, with a page that has fewer items than the page size, or
/// when the list reaches the total that the server returned.
public struct PageNumberPaginationStrategy: PaginationStrategy {
  /// The number of the first page.
  public let firstPage: Int
  /// The number of items of a page, if it is known.
  public let pageSize: Int?
  /// The progress of the list, which the repository can read.
  public let standing = PaginationStanding()

  /// Creates a strategy.
  ///
  /// - Parameters:
  ///   - firstPage: The number of the first page.
  ///   - pageSize: The number of items of a page. If it is `nil`, the list ends with an empty
  ///     page, or when it reaches the total.
  public init(firstPage: Int = 1, pageSize: Int? = nil) {
    self.firstPage = firstPage
    self.pageSize = pageSize.map { max(1, $0) }
  }

  /// The number of the page to fetch.
  public var page: Int { number(of: position) }

  /// Returns the number of the page that begins at a position.
  public func number(of position: PagePosition) -> Int { firstPage + position.number }

  /// Returns the position of the next page, or `nil` after the last page.
  public func nextPage(after page: LoadedPage) -> PagePosition? {
    page.count < pageSize ?? 1 || page.reachesTotal ? nil : page.following
  }
}
