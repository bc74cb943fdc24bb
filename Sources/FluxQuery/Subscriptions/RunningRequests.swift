import FluxAsync

/// The requests of queries and mutations that have arrived in a store and have not ended.
struct RunningRequests: Sendable {
  /// What the coordinator knows about a request that ends.
  struct End: Equatable, Sendable {
    /// A Boolean value that indicates whether the request has prevented a fetch of the query, and
    /// no other request of the query is running.
    var hasPreventedFetch = false
    /// A Boolean value that indicates whether the previous request of the query was lost.
    var followsLostRequest = false
  }

  private var requests: Set<RunningRequest> = []
  /// The requests that have prevented a fetch of the coordinator.
  private var preventing: [QueryKey: RequestID] = [:]
  /// The queries whose last request was lost.
  private var lost: Set<QueryKey> = []

  func contains(_ request: RunningRequest) -> Bool { requests.contains(request) }

  /// Returns a Boolean value that indicates whether a request of a query is running.
  ///
  /// The method takes O(n) time for n running requests.
  func contains(_ key: QueryKey) -> Bool { requests.contains { $0.key == key } }

  mutating func began(_ request: RunningRequest) {
    requests.insert(request)
  }

  /// Records that the coordinator is about to fetch a query, which a running request of the query
  /// prevents.
  mutating func willFetch(_ key: QueryKey) {
    preventing[key] = running(key)
  }

  /// Removes a request.
  mutating func ended(_ request: RunningRequest) -> End {
    requests.remove(request)
    guard let key = request.key else { return End() }
    var end = End()
    if preventing[key] == request.id {
      preventing[key] = running(key)
      end.hasPreventedFetch = preventing[key] == nil
    }
    if !lost.isEmpty { end.followsLostRequest = lost.remove(key) != nil }
    return end
  }

  /// Records that the cache still contains a request that has ended.
  mutating func wasLost(_ request: RunningRequest) {
    if let key = request.key { lost.insert(key) }
  }

  /// Returns a running request of a query, or `nil` if none is running.
  ///
  /// A query can be requested again while the outcome of its previous request is dispatched.
  private func running(_ key: QueryKey) -> RequestID? {
    requests.first { $0.key == key }?.id
  }
}
