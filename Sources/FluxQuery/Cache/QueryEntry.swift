public import FluxAsync
public import FluxCore

/// The result of one query in a ``QueryCache``, and the state of its request.
///
/// An entry is a value. A copy of an entry costs one retain.
public struct QueryEntry: Identifiable, Sendable {
  /// The stored properties, which copies of an entry share until one of them changes.
  @usableFromInline
  struct Contents: Sendable {
    @usableFromInline let id: QueryKey
    /// A number that distinguishes this entry from earlier entries of the same query, and that is
    /// unique in the process.
    let incarnation = CacheContents.nextVersion()
    @usableFromInline var value: (any Sendable)?
    var error: QueryFailure?
    @usableFromInline var request: RequestID?
    /// The side of the result whose page the last request fetches, or `nil` for the whole result.
    var page: PageDirection?
    /// The attempts of the running request that have failed, or `nil` if none has failed.
    var failedAttempts: FailedAttempts?
    var fulfilledAt: Duration?
    var tags: Set<QueryTag> = []
    var isInvalidated = false
    /// A Boolean value that indicates whether the result was invalidated, and no request has begun
    /// since.
    var awaitsRefetch = false
    /// A number that identifies the last invalidation, and that is unique in the process.
    var invalidation: UInt64 = 0
    /// The identities of the entities that the value contains, without duplicates.
    var containedEntities: [QueryKey] = []
    /// The identities of the entries whose values contain the value as an entity.
    var containers: Set<QueryKey> = []
    /// A number that identifies the value, and that is unique in the process.
    ///
    /// A result that is equal to the previous result does not change the number.
    var revision: UInt64 = 0
  }

  /// The attempts of a request that failed before its current attempt.
  struct FailedAttempts: Equatable, Sendable {
    let count: Int
    /// The failure of the last of these attempts.
    let error: QueryFailure?
  }

  @usableFromInline var contents: CopyOnWrite<Contents>

  init(id: QueryKey) {
    contents = CopyOnWrite(Contents(id: id))
  }

  /// The identity of the entry.
  @inlinable public var id: QueryKey { contents.value.id }

  /// The query.
  public var query: any Query { contents.value.id.query }

  /// The last known result, with all edits that mutations have not confirmed yet, or `nil`.
  @inlinable public var value: (any Sendable)? { contents.value.value }

  /// The failure of the last request, or `nil` if the last request succeeded.
  public var error: QueryFailure? { contents.value.error }

  /// The identity of the running request, or `nil` if no request is running.
  public var request: RequestID? { contents.value.request }

  /// A Boolean value that indicates whether a request of the query is running.
  public var isFetching: Bool { contents.value.request != nil }

  /// The number of attempts of the running request that have failed, or 0 if no request is running.
  public var failedAttempts: Int { contents.value.failedAttempts?.count ?? 0 }

  /// The failure of the previous attempt of the running request, or `nil` if no attempt has failed
  /// or no request is running.
  public var attemptError: QueryFailure? { contents.value.failedAttempts?.error }

  /// The time at which the last result arrived, as measured by the clock that the store uses for
  /// asynchronous work.
  ///
  /// A page that was added to the result does not change the time, because the other pages are
  /// older.
  public var fulfilledAt: Duration? { contents.value.fulfilledAt }

  /// The tags that the last outcome provides.
  public var tags: Set<QueryTag> { contents.value.tags }

  /// A Boolean value that indicates whether the result was invalidated, and no request that began
  /// after the invalidation has succeeded.
  public var isInvalidated: Bool { contents.value.isInvalidated }

  /// A Boolean value that indicates whether the entry has a result that the last request returned,
  /// and that was not invalidated.
  var hasCurrentResult: Bool {
    contents.value.value != nil && contents.value.error == nil && !contents.value.isInvalidated
  }

  /// Returns a Boolean value that indicates whether two versions of an entry look the same to an
  /// observer.
  func looksLike(_ other: QueryEntry) -> Bool {
    contents.withValue { old in
      other.contents.withValue { new in
        old.revision == new.revision && old.request == new.request && old.fulfilledAt == new.fulfilledAt
          && old.isInvalidated == new.isInvalidated && old.error == new.error
          && old.failedAttempts == new.failedAttempts
      }
    }
  }
}

extension QueryEntry.Contents {
  /// A Boolean value that indicates whether the value contains entities, or is an entity that other
  /// values contain.
  var isShared: Bool { !containers.isEmpty || id.query._hasEntities }

  /// Sets the running request, or `nil` if a request has ended, and clears the failed attempts.
  mutating func run(_ request: RequestID?) {
    self.request = request
    failedAttempts = nil
  }

  /// Sets the running request, which fetches a page of the result, or the whole result.
  mutating func began(_ request: RequestID, for page: PageDirection?) {
    run(request)
    self.page = value == nil ? nil : page
    if self.page == nil { awaitsRefetch = false }
  }

  /// Marks the result as out of date.
  mutating func invalidate() {
    (isInvalidated, awaitsRefetch) = (true, true)
    invalidation = CacheContents.nextVersion()
  }

  /// Replaces the value, unless the new value is known to be equal.
  mutating func show(_ new: (any Sendable)?) {
    switch (value, new) {
    case (nil, nil): return
    case (let old?, let new?):
      if id.query._areEqual(old, new) { return }
    case (nil, _), (_, nil): break
    }
    replaceValue(new)
  }

  /// Replaces the value with a value that is not equal to it.
  mutating func replaceValue(_ new: (any Sendable)?) {
    value = new
    revision = CacheContents.nextVersion()
  }
}

extension QueryEntry: Equatable {
  /// Returns a Boolean value that indicates whether two entries have equal results and the same
  /// state.
  public static func == (first: QueryEntry, second: QueryEntry) -> Bool {
    let (first, second) = (first.contents.value, second.contents.value)
    return first.id == second.id && first.request == second.request
      && first.fulfilledAt == second.fulfilledAt && first.isInvalidated == second.isInvalidated
      && first.awaitsRefetch == second.awaitsRefetch && first.error == second.error
      && first.failedAttempts == second.failedAttempts
      && first.tags == second.tags && first.hasSameValue(as: second)
  }
}

extension QueryEntry.Contents {
  fileprivate func hasSameValue(as other: QueryEntry.Contents) -> Bool {
    switch (value, other.value) {
    case (nil, nil): true
    case (let first?, let second?): areDynamicallyEqual(first, second) ?? (revision == other.revision)
    case (nil, _), (_, nil): false
    }
  }
}

extension QueryEntry: CustomReflectable {
  /// The properties of the entry, for logs.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        ("value", value as Any), ("error", error as Any), ("request", request as Any),
        ("failedAttempts", failedAttempts), ("attemptError", attemptError as Any),
        ("fulfilledAt", fulfilledAt as Any), ("tags", tags), ("isInvalidated", isInvalidated),
      ], displayStyle: .struct)
  }
}
