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
/// The names come from RTK Query.
public struct QueryState<Value: Sendable>: Sendable {
  /// The last known result.
  ///
  /// If an observer has changed its query, the value is the result of the previous query until the
  /// new query has a result.
  public internal(set) var data: Value?
  /// The last known result of the current query.
  public let currentData: Value?
  /// The failure of the last request, or `nil` if the last request succeeded.
  ///
  /// A failure does not change the result. The next result clears the failure.
  public let error: QueryFailure?
  /// A Boolean value that indicates whether a request of the query is running.
  public let isFetching: Bool
  /// A Boolean value that indicates whether the result was invalidated, and no newer result has
  /// arrived.
  public let isInvalidated: Bool
  /// The time at which the last result arrived, as measured by the clock that the store uses for
  /// asynchronous work.
  public let fulfilledAt: Duration?
  /// The number of changes to the result, by which two states are compared.
  let revision: Int

  /// Creates the state of a query from its entry, or the state without a result.
  init(_ entry: QueryEntry?, of type: Value.Type = Value.self) {
    currentData = entry?.value as? Value
    data = currentData
    error = entry?.error
    isFetching = entry?.isFetching ?? false
    isInvalidated = entry?.isInvalidated ?? false
    fulfilledAt = entry?.fulfilledAt
    revision = entry?.revision ?? 0
  }

  /// Creates a state, for use in tests and previews of views.
  public init(
    data: Value? = nil, error: QueryFailure? = nil, isFetching: Bool = false, isInvalidated: Bool = false,
    fulfilledAt: Duration? = nil
  ) {
    self.data = data
    currentData = data
    self.error = error
    self.isFetching = isFetching
    self.isInvalidated = isInvalidated
    self.fulfilledAt = fulfilledAt
    revision = 0
  }

  /// A Boolean value that indicates whether a request is running and there is no result to show.
  public var isLoading: Bool { isFetching && data == nil }

  /// A Boolean value that indicates whether there is a result and the last request succeeded.
  ///
  /// The value remains `true` while the query is fetched again.
  public var isSuccess: Bool { data != nil && error == nil }

  /// A Boolean value that indicates whether the query has no result, no failure, and no request.
  public var isUninitialized: Bool { data == nil && error == nil && !isFetching }
}

extension QueryState: Equatable where Value: Equatable {
  /// Returns a Boolean value that indicates whether two states show the same.
  public static func == (first: QueryState, second: QueryState) -> Bool {
    first.data == second.data && first.currentData == second.currentData && first.error == second.error
      && first.isFetching == second.isFetching && first.isInvalidated == second.isInvalidated
      && first.fulfilledAt == second.fulfilledAt
  }
}
