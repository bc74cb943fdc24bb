/// The result of a load: a page, and the position of the next page.
public struct ListAnswer<Item: Sendable>: Sendable {
  /// The items of the page.
  public var items: [Item]
  /// The description of the page.
  public var page: LoadedPage
  /// The position of the next page, or `nil` if this page is the last.
  public var nextPage: PagePosition?
  /// The time at which the page was received, on the clock of the store's work.
  public var time: Duration

  /// Creates a result, for tests of reducers.
  public init(_ items: [Item], page: LoadedPage, nextPage: PagePosition? = nil, at time: Duration) {
    self.items = items
    self.page = page
    self.nextPage = nextPage
    self.time = time
  }
}

extension ListAnswer: Equatable where Item: Equatable {}

extension ListAnswer: CustomStringConvertible {
  /// The number of items and the position of the page, for logs.
  public var description: String {
    "\(items.count) of \(page.position)\(nextPage == nil ? ", the last" : "")"
  }
}
