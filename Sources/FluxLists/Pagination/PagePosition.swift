/// The position of a page in a list, as a page number, an item offset, and a cursor.
///
/// Each ``PaginationStrategy`` uses the value that its server supports.
public struct PagePosition: Hashable, Sendable, Codable {
  /// The number of pages before the page.
  public var number: Int
  /// The number of items before the page, as the server counts them.
  public var offset: Int
  /// The cursor of the page, or `nil` for the first page.
  public var cursor: String?

  /// Creates a position.
  public init(number: Int = 0, offset: Int = 0, cursor: String? = nil) {
    self.number = number
    self.offset = offset
    self.cursor = cursor
  }

  /// The position of the first page.
  public static let first = PagePosition()
}

extension PagePosition: CustomStringConvertible {
  /// The number of the page, counted from 1, with its cursor or offset.
  public var description: String {
    let page = "page \(number + 1)"
    if let cursor { return "\(page), after \(cursor)" }
    return offset > 0 ? "\(page), from \(offset)" : page
  }
}
