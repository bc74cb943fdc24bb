/// Where a page of a list begins, in the three ways in which servers count.
///
/// Each ``PaginationStrategy`` uses the one that its server understands.
public struct PagePosition: Hashable, Sendable, Codable {
  /// How many pages come before it.
  public var number: Int
  /// How many items come before it, as the server counts them.
  public var offset: Int
  /// What the server has called it; `nil` for the first page.
  public var cursor: String?

  /// Creates a position.
  public init(number: Int = 0, offset: Int = 0, cursor: String? = nil) {
    self.number = number
    self.offset = offset
    self.cursor = cursor
  }

  /// The beginning of the list.
  public static let first = PagePosition()
}

extension PagePosition: CustomStringConvertible {
  /// The page, counted from 1, with what tells where it begins.
  public var description: String {
    let page = "page \(number + 1)"
    if let cursor { return "\(page), after \(cursor)" }
    return offset > 0 ? "\(page), from \(offset)" : page
  }
}
