/// What has come of a load: a page, and what follows from it.
public struct ListAnswer<Item: Sendable>: Sendable {
  /// The items of the page.
  public var items: [Item]
  /// The page.
  public var page: LoadedPage
  /// Where the next page begins; `nil` if this was the last.
  public var nextPage: PagePosition?
  /// When it came, on the clock of the store's work.
  public var time: Duration

  /// Creates an answer: for tests of reducers.
  public init(_ items: [Item], page: LoadedPage, nextPage: PagePosition? = nil, at time: Duration) {
    self.items = items
    self.page = page
    self.nextPage = nextPage
    self.time = time
  }
}

extension ListAnswer: Equatable where Item: Equatable {}

extension ListAnswer: CustomStringConvertible {
  /// How many items there are, and of which page, for logs.
  public var description: String {
    "\(items.count) of \(page.position)\(nextPage == nil ? ", the last" : "")"
  }
}
