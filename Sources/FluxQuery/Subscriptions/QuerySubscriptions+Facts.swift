// The facts of a version of a cache, as the rules for subscribers need them.

import FluxAsync
import FluxCollections
import FluxCore

extension QueryEntry {
  /// Returns the request of the entry if it is not one of the running requests.
  func requestThatIsMissing(in running: RunningRequests) -> RunningRequest? {
    request.map { RunningRequest(key: id, id: $0) }.flatMap { running.contains($0) ? nil : $0 }
  }
}

extension CacheContents {
  /// Returns a Boolean value that indicates whether a request of a query or a mutation counts as
  /// running.
  func contains(_ request: RunningRequest) -> Bool {
    if let key = request.key { return entries[id: key]?.request == request.id }
    return runningMutations[request.id] != nil
  }
}

extension QuerySubscriptions {
  /// The facts about an entry that the rules depend on.
  //
  // All properties are numbers, so that copies are cheap.
  struct Facts: Hashable, Sendable {
    /// A number that distinguishes the entry from earlier entries of the same query.
    var incarnation: UInt64
    var isFetching: Bool
    /// A number that identifies the end of the last request, or 0 if no request has ended.
    var lastEnd: UInt64 = 0
    /// The request of the entry if it is not running in this store, or `nil`.
    ///
    /// A state that was saved or restored can contain such a request.
    var lostRequest: RequestID?
    var awaitsRefetch: Bool
    /// The number of the last invalidation.
    var invalidation: UInt64
    var hasResult: Bool
    /// A Boolean value that indicates whether the last request has failed.
    var hasFailed = false
    /// A Boolean value that indicates whether another entry contains the result as an entity.
    var isContained = false
    /// The duration for which the entry is kept without subscribers, or `nil` for no limit.
    var lifetime: Duration?
  }
}

extension QuerySubscriptions.Facts {
  init(of entry: QueryEntry) {
    incarnation = entry.contents.value.incarnation
    isFetching = entry.isFetching
    lastEnd = entry.contents.value.lastEnd
    awaitsRefetch = entry.awaitsRefetch
    invalidation = entry.contents.value.invalidation
    hasResult = entry.hasValue
    hasFailed = entry.hasFailed
    isContained = !entry.contents.value.containers.isEmpty
    lifetime = entry.query.lifetimeWithoutSubscribers
  }
}

extension [QuerySubscriptions.Step] {
  /// Appends steps, of which most events have none.
  mutating func add(_ steps: [Element]) {
    if isEmpty { self = steps } else { append(contentsOf: steps) }
  }
}
