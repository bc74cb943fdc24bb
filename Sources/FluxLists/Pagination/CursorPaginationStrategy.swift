/// A strategy for servers that return a cursor for the next page with each page.
///
/// The list ends when the server returns no cursor. An empty page with a cursor is not the last
/// page.
public struct CursorPaginationStrategy: PaginationStrategy {
  /// The progress of the list, which the repository can read.
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
