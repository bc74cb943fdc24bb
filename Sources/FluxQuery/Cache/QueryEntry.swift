public import FluxAsync
import FluxCore

/// The result of one query in a ``QueryCache``, and the state of its request.
public struct QueryEntry: Identifiable, Sendable {
  /// The identity of the entry.
  public let id: QueryKey
  /// The last known result, with all edits that mutations have not confirmed yet, or `nil`.
  public internal(set) var value: (any Sendable)?
  /// The failure of the last request, or `nil` if the last request succeeded.
  public internal(set) var error: QueryFailure?
  /// The identity of the running request, or `nil` if no request is running.
  public internal(set) var request: RequestID?
  /// The time at which the last result arrived, as measured by the clock that the store uses for
  /// asynchronous work.
  public internal(set) var fulfilledAt: Duration?
  /// The tags that the last outcome provides.
  public internal(set) var tags: Set<QueryTag> = []
  /// A Boolean value that indicates whether the result was invalidated, and no request that began
  /// after the invalidation has succeeded.
  public internal(set) var isInvalidated = false
  /// A Boolean value that indicates whether the result was invalidated, and no request has begun
  /// since.
  var awaitsRefetch = false
  /// The number of changes to the value.
  ///
  /// A result that is equal to the previous result does not change the number.
  var revision = 0

  init(id: QueryKey) {
    self.id = id
  }

  /// The query.
  public var query: any Query { id.query }

  /// A Boolean value that indicates whether a request of the query is running.
  public var isFetching: Bool { request != nil }

  /// A Boolean value that indicates whether the entry has a result that the last request returned,
  /// and that was not invalidated.
  var hasCurrentResult: Bool { value != nil && error == nil && !isInvalidated }

  /// Returns a Boolean value that indicates whether two versions of an entry look the same to an
  /// observer.
  func looksLike(_ other: QueryEntry) -> Bool {
    revision == other.revision && request == other.request && fulfilledAt == other.fulfilledAt
      && isInvalidated == other.isInvalidated && error == other.error
  }

  /// Marks the result as out of date.
  mutating func invalidate() {
    (isInvalidated, awaitsRefetch) = (true, true)
  }

  /// Replaces the value, unless the new value is known to be equal.
  mutating func show(_ new: (any Sendable)?) {
    switch (value, new) {
    case (nil, nil): return
    case (let old?, let new?):
      if query._areEqual(old, new) { return }
    case (nil, _), (_, nil): break
    }
    value = new
    revision += 1
  }
}

extension QueryEntry: Equatable {
  /// Returns a Boolean value that indicates whether two entries have equal results and the same
  /// state.
  public static func == (first: QueryEntry, second: QueryEntry) -> Bool {
    first.id == second.id && first.request == second.request && first.fulfilledAt == second.fulfilledAt
      && first.isInvalidated == second.isInvalidated && first.awaitsRefetch == second.awaitsRefetch
      && first.error == second.error && first.tags == second.tags && first.hasSameValue(as: second)
  }

  private func hasSameValue(as other: QueryEntry) -> Bool {
    switch (value, other.value) {
    case (nil, nil): true
    case (let first?, let second?): areDynamicallyEqual(first, second) ?? (revision == other.revision)
    case (nil, _), (_, nil): false
    }
  }
}
