/// Pages with numbers.
///
/// The list ends with a page that is empty, or shorter than pages are if that is known, or when the server's
/// total is reached.
public struct PageNumberPaginationStrategy: PaginationStrategy {
  /// The number of the first page.
  public let firstPage: Int
  /// How many items a page has, if that is known.
  public let pageSize: Int?
  /// How far the list has got, for those who ask the repository.
  public let standing = PaginationStanding()

  /// Creates a strategy.
  ///
  /// - Parameters:
  ///   - firstPage: The number of the first page.
  ///   - pageSize: How many items a page has; with `nil` the list ends with a page that is empty.
  public init(firstPage: Int = 1, pageSize: Int? = nil) {
    self.firstPage = firstPage
    self.pageSize = pageSize.map { max(1, $0) }
  }

  /// The number of the page.
  public var page: Int { number(of: position) }

  /// The number of the page that begins at a position.
  public func number(of position: PagePosition) -> Int { firstPage + position.number }

  /// Where the next page begins; `nil` after the last.
  public func nextPage(after page: LoadedPage) -> PagePosition? {
    page.count < pageSize ?? 1 || page.reachesTotal ? nil : page.following
  }
}
