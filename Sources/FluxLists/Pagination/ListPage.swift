/// What a server answers when it is asked for a page.
public struct ListPage<Item> {
  /// The items of the page.
  public var items: [Item]
  /// How many items there are in all pages, where the server says so.
  public var total: Int?
  /// What the server calls the next page, where it does.
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

/// What a strategy is told of a page that has come.
public struct LoadedPage: Hashable, Sendable, Codable {
  /// Where it begins.
  public var position: PagePosition
  /// How many items the server has sent, also those that the list has already.
  public var count: Int
  /// How many items there are in all pages, where the server says so.
  public var total: Int?
  /// What the server calls the next page, where it does.
  public var nextCursor: String?

  /// Creates the description of a page.
  public init(at position: PagePosition, count: Int, total: Int? = nil, nextCursor: String? = nil) {
    self.position = position
    self.count = count
    self.total = total
    self.nextCursor = nextCursor
  }

  /// Where the page after it begins, as all strategies count.
  public var following: PagePosition {
    PagePosition(number: position.number + 1, offset: position.offset + count, cursor: nextCursor)
  }

  /// Whether the server has said how many items there are, and that many have come.
  public var reachesTotal: Bool {
    total.map { position.offset + count >= $0 } ?? false
  }
}
