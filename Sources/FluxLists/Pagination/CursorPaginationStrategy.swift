/// Pages each of which the server names in its answer to the one before.
///
/// The list ends when the server names none: an empty page with a cursor is not the last.
public struct CursorPaginationStrategy: PaginationStrategy {
  /// How far the list has got, for those who ask the repository.
  public let standing = PaginationStanding()

  /// Creates a strategy.
  public init() {}

  /// What the server has called the page; `nil` for the first.
  public var cursor: String? { position.cursor }

  /// Where the next page begins; `nil` if the server names none.
  public func nextPage(after page: LoadedPage) -> PagePosition? {
    page.nextCursor == nil ? nil : page.following
  }
}
