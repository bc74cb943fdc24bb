/// A page that a server returned.
public struct ListPage<Item> {
  /// The items of the page.
  public var items: [Item]
  /// The number of items in all pages, if the server returned it.
  public var total: Int?
  /// The cursor of the next page, if the server returned one.
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

/// The description of a loaded page, without its items, for a pagination strategy.
public struct LoadedPage: Hashable, Sendable, Codable {
  /// The position of the page.
  public var position: PagePosition
  /// The number of items that the server returned, including items that the list already
  /// contains.
  public var count: Int
  /// The number of items in all pages, if the server returned it.
  public var total: Int?
  /// The cursor of the next page, if the server returned one.
  public var nextCursor: String?

  /// Creates the description of a page.
  public init(at position: PagePosition, count: Int, total: Int? = nil, nextCursor: String? = nil) {
    self.position = position
    self.count = count
    self.total = total
    self.nextCursor = nextCursor
  }

  /// The position after the page, in page numbers, items, and cursors.
  public var following: PagePosition {
    PagePosition(number: position.number + 1, offset: position.offset + count, cursor: nextCursor)
  }

  /// A Boolean value that indicates whether the server returned a total and the page reaches it.
  public var reachesTotal: Bool {
    total.map { position.offset + count >= $0 } ?? false
  }
}
