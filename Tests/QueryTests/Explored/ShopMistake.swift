import FluxAsync
import FluxCollections
import FluxCore

@testable import FluxQuery

/// A mistake in one event of a cache, which an exploration must find.
///
/// A mistake replaces the effect of an action on the cache. All other effects of the action
/// remain.
enum ShopMistake: CaseIterable, Sendable {
  /// A refused mutation counts as a mutation that has succeeded.
  case keepsRefusedMarks
  /// A mutation that has succeeded counts as refused.
  case dropsSavedMarks
  /// A refused mutation removes the edits of all mutations.
  case removesAllEdits
  /// An answer replaces the edits of running mutations.
  case replacesEdits
  /// A mutation that succeeds is forgotten by the request that is running.
  case forgetsRunningRequest
  /// An invalidation does not lead to a refetch.
  case neverRefetches
  /// The answer of a request that began before an invalidation counts as current.
  case endsInvalidation
  /// A request that fails remains pending.
  case keepsFailedRequests
  /// A request that fails is counted after its end.
  case miscountsFailedRequests
  /// A request that fails leaves no error.
  case hidesErrors
  /// An invalidation does not apply to the tags of later answers.
  case forgetsEarlyInvalidations
  /// A mutation that fails invalidates nothing.
  case trustsFailures
  /// An entry is never removed.
  case neverRemoves

  /// Returns a reducer with the mistake.
  func planted(in reducer: @escaping MutatingReducer<Shop>) -> MutatingReducer<Shop> {
    { shop, action in
      let before = shop.queries
      reducer(&shop, action)
      let after = shop.queries.contents.value
      guard var spoiled = spoiled(before.contents.value, after, by: action) else { return }
      spoiled.version = after.version
      shop.queries.contents.value = spoiled
    }
  }

  /// Returns the cache after an action with the mistake, or `nil` if the mistake does not apply.
  private func spoiled(
    _ before: CacheContents, _ after: CacheContents, by action: any Action
  ) -> CacheContents? {
    var cache = before
    switch action {
    case let action as PerformMutation.Rejected: return spoil(&cache, action) ? cache : nil
    case let action as PerformMutation.Fulfilled: return spoil(&cache, action) ? cache : nil
    case let action as FetchQuery.Fulfilled:
      guard spoil(&cache, action) else { return nil }
      return cache
    case let action as FetchQuery.Rejected:
      cache = after
      return spoil(&cache, action, before) ? cache : nil
    case is InvalidateTags where self == .neverRefetches:
      cache = after
      for key in cache.entries.ids { cache.entries.update(key) { $0.contents.value.awaitsRefetch = false } }
      return cache
    case is RemoveQueries where self == .neverRemoves: return before
    default: return nil
    }
  }

  private func spoil(_ cache: inout CacheContents, _ action: PerformMutation.Rejected) -> Bool {
    let failure = QueryFailure(of: action.failure)
    let tags = action.request.mutation._invalidatedTags(for: failure)
    switch self {
    case .keepsRefusedMarks: cache.mutationSucceeded(action.id, answering: [], invalidating: tags)
    case .removesAllEdits:
      cache.mutationFailed(action.id, invalidating: tags)
      for id in cache.runningMutations.keys {
        var other = cache
        other.mutationFailed(id, invalidating: [])
        (cache.overlays, cache.entries) = (other.overlays, other.entries)
      }
    case .trustsFailures: cache.mutationFailed(action.id, invalidating: [])
    default: return false
    }
    return true
  }

  private func spoil(_ cache: inout CacheContents, _ action: PerformMutation.Fulfilled) -> Bool {
    let tags = action.value.invalidatedTags
    switch self {
    case .dropsSavedMarks: cache.mutationFailed(action.id, invalidating: tags)
    case .forgetsRunningRequest:
      let (requests, fetching) = (cache.entries.map { ($0.id, $0.request) }, cache.fetching)
      for (key, _) in requests { cache.entries.update(key) { $0.contents.value.request = nil } }
      cache.mutationSucceeded(action.id, answering: action.value.edits, invalidating: tags)
      for (key, request) in requests { cache.entries.update(key) { $0.contents.value.request = request } }
      cache.fetching = fetching
    default: return false
    }
    return true
  }

  private func spoil(_ cache: inout CacheContents, _ action: FetchQuery.Fulfilled) -> Bool {
    switch self {
    case .replacesEdits:
      cache.overlays[action.request.key] = nil
      cache.received(action.value, for: action.request.key, action.id)
    case .endsInvalidation:
      cache.received(action.value, for: action.request.key, action.id)
      cache.entries.update(action.request.key) { entry in
        entry.contents.value.isInvalidated = false
        entry.contents.value.awaitsRefetch = false
      }
    case .forgetsEarlyInvalidations:
      cache.fetching[action.request.key] = RequestEvents()
      cache.received(action.value, for: action.request.key, action.id)
    default: return false
    }
    return true
  }

  private func spoil(
    _ cache: inout CacheContents, _ action: FetchQuery.Rejected, _ before: CacheContents
  ) -> Bool {
    switch self {
    case .keepsFailedRequests: cache = before
    case .miscountsFailedRequests: cache.fetching = before.fetching
    case .hidesErrors: cache.entries.update(action.request.key) { $0.contents.value.error = nil }
    default: return false
    }
    return true
  }
}
