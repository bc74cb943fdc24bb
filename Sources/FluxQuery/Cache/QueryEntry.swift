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
    /// The value, or any value if there is none.
    ///
    /// A copy of an optional value of any type takes more than twice the time.
    @usableFromInline private(set) var storedValue: any Sendable = ()
    var error: QueryFailure?
    @usableFromInline var request: RequestID?
    /// The side of the result whose page the last request fetches, or `nil` for the whole result.
    var page: PageDirection?
    /// The attempts of the running request that have failed, or `nil` if none has failed.
    var failedAttempts: FailedAttempts?
    /// A number that identifies the end of the last request, and that is unique in the process, or
    /// 0 if no request has ended.
    var lastEnd: UInt64 = 0
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
    /// A number that identifies the value, and that is unique in the process, or 0 if there is no
    /// value.
    ///
    /// A result that is equal to the previous result does not change the number.
    @usableFromInline private(set) var revision: UInt64 = 0

    init(id: QueryKey) {
      self.id = id
    }
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
  public var value: (any Sendable)? { contents.value.value }

  /// Returns the last known result as a type, or `nil` if there is no such result.
  @inlinable @inline(__always)
  func value<Value>(as type: Value.Type) -> Value? {
    hasValue ? cast(contents.value.storedValue, to: type) : nil
  }

  /// The failure of the last request, or `nil` if the last request succeeded.
  public var error: QueryFailure? { contents.value.error }

  /// The identity of the running request, or `nil` if no request is running.
  public var request: RequestID? { contents.value.request }

  /// A Boolean value that indicates whether there is a result.
  @inlinable var hasValue: Bool { contents.value.revision != 0 }

  /// A Boolean value that indicates whether the last request failed.
  var hasFailed: Bool { contents.value.error != nil }

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

  /// A Boolean value that indicates whether the entry was invalidated, and not fetched since.
  var awaitsRefetch: Bool { contents.value.awaitsRefetch }

  /// A Boolean value that indicates whether the entry has a result that the last request returned,
  /// and that was not invalidated.
  var hasCurrentResult: Bool {
    hasValue && !hasFailed && !contents.value.isInvalidated
  }

  /// Returns a Boolean value that indicates whether two versions of an entry look the same to an
  /// observer.
  ///
  /// The time of the result is not compared. Otherwise, each list that arrives would notify the
  /// observers of all its entities.
  func looksLike(_ other: QueryEntry) -> Bool {
    // Reading single properties does not copy the others.
    contents.value.revision == other.contents.value.revision && request == other.request
      && isInvalidated == other.isInvalidated && error == other.error
      && contents.value.failedAttempts == other.contents.value.failedAttempts
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

  /// Replaces the tags, and returns the old tags if they differ from the new tags.
  mutating func replaceTags(by new: Set<QueryTag>) -> Set<QueryTag>? {
    // Most entries have one tag. Comparing two sets hashes the tags.
    let areEqual = new.count == 1 && tags.count == 1 ? new.first == tags.first : new == tags
    if areEqual { return nil }
    defer { tags = new }
    return tags
  }

  /// Sets the running request, which fetches a page of the result, or the whole result.
  mutating func began(_ request: RequestID, for page: PageDirection?) {
    run(request)
    self.page = revision == 0 ? nil : page
    if self.page == nil { awaitsRefetch = false }
  }

  /// Marks the result as out of date.
  mutating func invalidate() {
    (isInvalidated, awaitsRefetch) = (true, true)
    invalidation = CacheContents.nextVersion()
  }

  /// The last known result, with all edits that mutations have not confirmed yet, or `nil`.
  var value: (any Sendable)? { revision == 0 ? nil : storedValue }

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
    storedValue = new ?? ()
    revision = new == nil ? 0 : CacheContents.nextVersion()
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
