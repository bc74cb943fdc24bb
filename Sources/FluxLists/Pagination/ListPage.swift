/// A page that a server returned.
public struct ListPage<Item> {
  /// The items of the page.
  public var items: [Item]
  /// The number of items in all pages, or `nil` if the server did not return the number.
  public var total: Int?
  /// The cursor of the next page, or `nil` if the server returned no cursor.
  public var nextCursor: String?

  /// Creates a page.
  public init(_ items: [Item], total: Int? = nil, nextCursor: String? = nil) {
    self.items = items
    self.total = total
    self.nextCursor = nextCursor
  }
}

extension ListPage: Sendable where Item: Sendable {}
extension ListPage: Equatable where Item: Equatable {}

/// A description of a loaded page.
///
/// A pagination strategy receives this description instead of the items of the page.
public struct LoadedPage: Hashable, Sendable, Codable {
  /// The position of the page.
  public var position: PagePosition
  /// The number of items that the server returned, including items that the list already
  /// contains.
  public var count: Int
  /// The number of items in all pages, or `nil` if the server did not return the number.
  public var total: Int?
  /// The cursor of the next page, or `nil` if the server returned no cursor.
  public var nextCursor: String?

  /// Creates the description of a page.
  public init(at position: PagePosition, count: Int, total: Int? = nil, nextCursor: String? = nil) {
    self.position = position
    self.count = count
    self.total = total
    self.nextCursor = nextCursor
  }

  /// Creates the description of a page that a server returned.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - position: The position of the page.
  ///   - total: The number of items in all pages, if it is known from another page.
  @inlinable
  package init(_ page: ListPage<some Any>, at position: PagePosition, of total: Int?) {
    self.init(
      at: position, count: page.items.count, total: page.total ?? total, nextCursor: page.nextCursor)
  }

  /// The position after the page, as a page number, an item offset, and a cursor.
  public var following: PagePosition {
    PagePosition(number: position.number + 1, offset: position.offset + count, cursor: nextCursor)
  }

  /// A Boolean value that indicates whether the page reaches the total that the server returned.
  ///
  /// If the server returned no total, the value is `false`.
  public var reachesTotal: Bool {
    total.map { position.offset + count >= $0 } ?? false
  }
}

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
  /// A description that contains the number of the page, starting from 1, and the cursor or
  /// offset of the page.
  public var description: String {
    let page = "page \(number + 1)"
    if let cursor { return "\(page), after \(cursor)" }
    return offset > 0 ? "\(page), from \(offset)" : page
  }
}
