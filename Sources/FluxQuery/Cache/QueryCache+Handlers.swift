import FluxAsync
import FluxCollections
public import FluxCore
import Synchronization

/// A function that changes a cache for one type of action.
@usableFromInline
package struct CacheHandler: Sendable {
  @usableFromInline package let reduce: @Sendable (_ cache: inout QueryCache, _ action: any Action) -> Void
}

extension QueryCache {
  /// The functions for all types of actions that change a cache.
  @usableFromInline
  package static let handlers: TypeTable<CacheHandler> = {
    var table = TypeTable<CacheHandler>()
    func on<Handled: Action>(
      _ type: Handled.Type, _ change: @escaping @Sendable (inout CacheContents, Handled) -> Void
    ) {
      let handler = CacheHandler { cache, action in
        ReductionByPlugin.wasMade()
        change(&cache.contents.value, action.knownToBe(type))
        cache.contents.value.version = CacheContents.nextVersion()
      }
      table.insert(handler, for: type) { first, _ in first }
    }
    on(FetchQuery.Pending.self) { cache, action in
      cache.began(action.request.key, action.id, for: action.request.condition.page)
    }
    on(WorkAttemptFailed.self) { cache, action in
      guard let request = action.action as? FetchQuery else { return }
      cache.attemptFailed(
        request.key, .init(count: action.attempt, error: QueryFailure(ofAttempt: action.error)))
    }
    on(FetchQuery.Fulfilled.self) { cache, action in
      cache.received(action.value, for: action.request.key, action.id)
    }
    on(FetchQuery.Rejected.self) { cache, action in
      cache.failed(QueryFailure(of: action.failure), for: action.request.key, action.id)
    }
    on(PerformMutation.Pending.self) { cache, action in
      cache.trackedBegan(action.request.mutation, as: action.request.id, action.id)
      cache.mutationBegan(action.id, action.request.mutation.optimisticEdits())
    }
    on(PerformMutation.Fulfilled.self) { cache, action in
      cache.trackedEnded(action.request.id, action.id, with: .success(action.value.value))
      cache.mutationSucceeded(
        action.id, answering: action.value.edits, invalidating: action.value.invalidatedTags,
        at: action.value.time)
    }
    on(PerformMutation.Rejected.self) { cache, action in
      let failure = QueryFailure(of: action.failure)
      cache.trackedEnded(action.request.id, action.id, with: .failure(failure))
      cache.mutationFailed(action.id, invalidating: action.request.mutation._invalidatedTags(for: failure))
    }
    on(ResetMutation.self) { cache, action in cache.mutations.remove(id: action.id) }
    on(InvalidateTags.self) { cache, action in cache.invalidate(action.tags) }
    on(RemoveQueries.self) { cache, action in cache.remove(action.keys) }
    on(ForgetRequest.self) { cache, action in cache.forget(action.request) }
    on(ResetQueries.self) { cache, _ in cache.reset() }
    on(WriteQuery.self) { cache, action in cache.wrote(action.answer, to: action.key) }
    on(UpdateQuery.self) { cache, action in cache.updated(action.edit, at: action.time) }
    on(EditQueries.self) { cache, action in cache.edit(action.edits, as: action.id) }
    on(UndoQueryEdits.self) { cache, action in cache.undo(action.keys, of: action.id) }
    on(AppActivity.self) { cache, action in cache.activity.changed(to: action) }
    return table
  }()
}

extension CacheContents {
  private static let lastVersion = Atomic<UInt64>(0)

  /// Returns a number that is unique in the process.
  static func nextVersion() -> UInt64 {
    lastVersion.wrappingAdd(1, ordering: .relaxed).newValue
  }
}
