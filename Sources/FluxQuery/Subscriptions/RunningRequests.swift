import FluxAsync

/// The requests of queries and mutations that have arrived in a store and have not ended.
struct RunningRequests: Sendable {
  private var requests: Set<RunningRequest> = []
  /// The requests that have prevented a fetch of the coordinator.
  private var preventing: [QueryKey: RequestID] = [:]

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
    if let running = requests.first(where: { $0.key == key }) { preventing[key] = running.id }
  }

  /// Removes a request.
  ///
  /// - Returns: The identity of the query if the request has prevented a fetch of the query and no
  ///   other request of the query is running.
  mutating func ended(_ request: RunningRequest) -> QueryKey? {
    requests.remove(request)
    guard let key = request.key, preventing[key] == request.id else { return nil }
    preventing[key] = nil
    return contains(key) ? nil : key
  }
}
