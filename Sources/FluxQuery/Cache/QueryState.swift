import FluxAsync
import FluxCore

/// The result of a query and the state of its request, as an observer shows them.
///
/// | | nothing yet | first request | result | second request | failure |
/// | --- | --- | --- | --- | --- | --- |
/// | ``data`` | `nil` | `nil` | value | value | value |
/// | ``isLoading`` | no | yes | no | no | no |
/// | ``isFetching`` | no | yes | no | yes | no |
/// | ``isSuccess`` | no | no | yes | yes | no |
/// | ``error`` | `nil` | `nil` | `nil` | `nil` | failure |
///
/// The names come from RTK Query. A copy of a state costs two retains, regardless of the size of
/// the result.
public struct QueryState<Value: Sendable>: Sendable {
  /// The entry of the query, or `nil` if the cache has no entry.
  @usableFromInline let entry: QueryEntry?
  /// The last entry of a previous query that had a result, or `nil`.
  @usableFromInline let previous: QueryEntry?

  /// Creates the state of a query from its entry, or the state without a result.
  @inlinable
  init(_ entry: QueryEntry?, after previous: QueryEntry?) {
    self.entry = entry
    self.previous = previous
  }

  /// Creates the state that an observer shows.
  @usableFromInline
  package init(_ shown: ShownEntries) {
    self.init(shown.entry, after: shown.previous)
  }

  /// The last known result of the current query.
  @inlinable
  public var currentData: Value? { entry?.value(as: Value.self) }

  /// The last known result.
  ///
  /// If an observer has changed its query, the value is the result of the previous query until the
  /// new query has a result.
  @inlinable
  public var data: Value? { currentData ?? previous?.value(as: Value.self) }

  /// The failure of the last request, or `nil` if the last request succeeded.
  ///
  /// A failure does not change the result. The next result clears the failure.
  public var error: QueryFailure? { entry?.error }

  /// A Boolean value that indicates whether a request of the query is running.
  public var isFetching: Bool { entry?.isFetching ?? false }

  /// The number of attempts of the running request that have failed, or 0 if no request is running.
  ///
  /// An attempt counts as failed when the policy of the query allows another attempt, which begins
  /// after a delay. If the last attempt fails, the request ends, and its failure is the ``error``.
  public var failedAttempts: Int { entry?.failedAttempts ?? 0 }

  /// The failure of the previous attempt of the running request, or `nil` if no attempt has failed
  /// or no request is running.
  public var attemptError: QueryFailure? { entry?.attemptError }

  /// A Boolean value that indicates whether the result was invalidated, and no newer result has
  /// arrived.
  public var isInvalidated: Bool { entry?.isInvalidated ?? false }

  /// The time at which the last result arrived, as measured by the clock that the store uses for
  /// asynchronous work.
  ///
  /// The difference between `store.time` and this time is the age of the result. Observers are not
  /// notified if only this time changes, for example when a list arrives that contains the
  /// unchanged result as an entity. The cache in the state always contains the newest time.
  public var fulfilledAt: Duration? { entry?.fulfilledAt }

  /// A Boolean value that indicates whether there is a result to show.
  private var hasData: Bool { entry?.hasValue == true || previous?.hasValue == true }

  /// A Boolean value that indicates whether a request is running, and there is neither a result nor
  /// a failure to show.
  ///
  /// After a failure, the value is `false` while the query is fetched again. A view that replaces
  /// its content during loading therefore keeps the content that shows the failure.
  public var isLoading: Bool { isFetching && !hasData && error == nil }

  /// A Boolean value that indicates whether there is a result and the last request succeeded.
  ///
  /// The value remains `true` while the query is fetched again.
  public var isSuccess: Bool { hasData && error == nil }

  /// A Boolean value that indicates whether the current result of an ``InfiniteQuery`` has a page
  /// after its last page.
  public var hasNextPage: Bool { hasPage(.next) }

  /// A Boolean value that indicates whether the current result of an ``InfiniteQuery`` has a page
  /// before its first page.
  public var hasPreviousPage: Bool { hasPage(.previous) }

  /// A Boolean value that indicates whether a request for the page after the last page is running.
  public var isFetchingNextPage: Bool { isFetching && entry?.contents.value.page == .next }

  /// A Boolean value that indicates whether a request for the page before the first page is
  /// running.
  public var isFetchingPreviousPage: Bool { isFetching && entry?.contents.value.page == .previous }

  /// The failure of the last request if it fetched the page after the last page, or `nil`.
  ///
  /// A view can show this failure at the end of the list, and every other ``error`` above the list.
  public var nextPageError: QueryFailure? { entry?.contents.value.page == .next ? error : nil }

  /// The failure of the last request if it fetched the page before the first page, or `nil`.
  public var previousPageError: QueryFailure? {
    entry?.contents.value.page == .previous ? error : nil
  }

  private func hasPage(_ direction: PageDirection) -> Bool {
    guard let entry, let pages = entry.value else { return false }
    return entry.query._hasPage(direction, in: pages)
  }

  /// A Boolean value that indicates whether the query has no result, no failure, and no request.
  public var isUninitialized: Bool { !hasData && error == nil && !isFetching }
}

extension QueryState {
  /// Creates a state, for use in tests and previews of views.
  public init(
    data: Value? = nil, error: QueryFailure? = nil, isFetching: Bool = false, failedAttempts: Int = 0,
    attemptError: QueryFailure? = nil, isInvalidated: Bool = false, fulfilledAt: Duration? = nil
  ) {
    var entry = QueryEntry(id: QueryKey(QueryOfPreview()))
    entry.contents.value.show(data)
    entry.contents.value.error = error
    entry.contents.value.request = isFetching ? RequestID(rawValue: 0) : nil
    entry.contents.value.failedAttempts = .init(count: failedAttempts, error: attemptError)
    entry.contents.value.isInvalidated = isInvalidated
    entry.contents.value.fulfilledAt = fulfilledAt
    self.init(entry, after: nil)
  }
}

/// The query of a state that was created without a store.
private struct QueryOfPreview: Query {
  func fetch(in context: RequestContext<any FluxState>) async throws { throw QueryFailure(.aborted) }
}

extension QueryState: Equatable where Value: Equatable {
  /// Returns a Boolean value that indicates whether two states show the same.
  public static func == (first: QueryState, second: QueryState) -> Bool {
    first.data == second.data && first.currentData == second.currentData && first.error == second.error
      && first.isFetching == second.isFetching && first.isInvalidated == second.isInvalidated
      && first.failedAttempts == second.failedAttempts && first.attemptError == second.attemptError
      && first.fulfilledAt == second.fulfilledAt
  }
}

extension QueryState: CustomReflectable {
  /// The properties of the state, for logs and tests.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        ("data", data as Any), ("currentData", currentData as Any), ("error", error as Any),
        ("isFetching", isFetching), ("failedAttempts", failedAttempts),
        ("attemptError", attemptError as Any), ("isInvalidated", isInvalidated),
        ("fulfilledAt", fulfilledAt as Any),
      ], displayStyle: .struct)
  }
}
