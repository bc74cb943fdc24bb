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
