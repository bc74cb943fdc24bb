/// A condition under which a query is fetched.
///
/// A condition never starts a second request while a request of the same query is running.
public struct QueryCondition: Hashable, Sendable {
  private enum Value: Hashable, Sendable {
    case ifNeeded
    indirect case ifOlder(Duration)
    case always
    case never
    case page(PageDirection)
  }

  private let value: Value

  /// Fetches the query if the cache has no result, if the last request has failed, or if the
  /// result was invalidated.
  public static let ifNeeded = QueryCondition(value: .ifNeeded)

  /// Fetches the query as ``ifNeeded`` does, and also if the result is older than a duration.
  ///
  /// The age is measured with the clock that the store uses for asynchronous work.
  public static func ifOlder(than age: Duration) -> QueryCondition {
    QueryCondition(value: .ifOlder(age))
  }

  /// Fetches the query unless a request of the query is running.
  public static let always = QueryCondition(value: .always)

  /// Fetches the page after the last page of an ``InfiniteQuery``, or the first page if the cache
  /// has no pages.
  ///
  /// If the last page is the end, nothing is fetched.
  public static let nextPage = QueryCondition(value: .page(.next))

  /// Fetches the page before the first page of an ``InfiniteQuery``, or the first page if the cache
  /// has no pages.
  ///
  /// If the first page is the beginning, nothing is fetched.
  public static let previousPage = QueryCondition(value: .page(.previous))

  /// Does not fetch the query.
  static let never = QueryCondition(value: .never)

  /// The side of the result whose page is fetched, or `nil` if the whole result is fetched.
  var page: PageDirection? {
    if case .page(let direction) = value { direction } else { nil }
  }

  /// Returns a Boolean value that indicates whether to fetch a query.
  ///
  /// - Parameters:
  ///   - entry: The entry of the query, or `nil` if the cache has no entry.
  ///   - time: The current time, which is read only if the condition depends on it.
  func isMet(by entry: QueryEntry?, at time: @autoclosure () -> Duration) -> Bool {
    if value == .never { return false }
    guard let entry else { return true }
    if entry.isFetching { return false }
    if let page, let pages = entry.value { return entry.query._hasPage(page, in: pages) }
    if !entry.hasCurrentResult { return true }
    switch value {
    case .ifNeeded: return false
    case .ifOlder(let age): return entry.fulfilledAt.map { time() - $0 >= age } ?? true
    case .always: return true
    case .never, .page: return false
    }
  }
}

extension QueryCondition: CustomStringConvertible {
  /// The name of the condition.
  public var description: String {
    switch value {
    case .ifNeeded: "if needed"
    case .ifOlder(let age): "if older than \(age)"
    case .always: "always"
    case .never: "never"
    case .page(.next): "next page"
    case .page(.previous): "previous page"
    }
  }
}
