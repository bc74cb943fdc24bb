import FluxAsync
public import FluxCore

// Actions that change a cache without a request.

/// An action that marks the entries that provide matching tags as out of date.
///
/// After the action is reduced, the plug-in of the ``QuerySlice`` fetches the marked entries that
/// have subscribers, and removes the other marked entries. If the slice waits until no request is
/// pending, this happens later.
///
/// If a request is running when the action is reduced, and its outcome provides a matching tag,
/// the entry is also marked as out of date, because the outcome can be older than the
/// invalidation.
public struct InvalidateTags: Action, Equatable {
  /// The tags.
  public let tags: Set<QueryTag>

  /// Creates an action that invalidates tags.
  public init(_ tags: Set<QueryTag>) {
    self.tags = tags
  }

  /// Creates an action that invalidates tags.
  public init(_ tags: QueryTag...) {
    self.init(Set(tags))
  }

  /// Reports an error if the store has no cache.
  public func _startWork(in context: ActionContext) -> WorkStart? { context.needsCache(for: self) }
}

/// An action that removes entries, and aborts their requests.
///
/// Subscribers of a removed entry receive an empty state. The entry is not fetched again until a
/// subscriber is added or an action fetches it. An entity that another entry contains keeps its
/// value, which is out of date from now on.
public struct RemoveQueries: Action, Equatable {
  /// The identities of the entries.
  public let keys: [QueryKey]

  /// Creates an action that removes the entry of a query.
  public init(_ query: some Query) {
    self.init([QueryKey(query)])
  }

  /// Creates an action that removes entries.
  public init(_ keys: [QueryKey]) {
    self.keys = keys
  }

  /// Marks the requests of the entries as canceled, and returns a closure that completes the
  /// cancellation.
  public func _startWork(in context: ActionContext) -> WorkStart? {
    context.needsCache(for: self) {
      context.queryCoordinator.willRemove(keys)
      let errands = keys.map { context.markCancelled($0, because: "the entry was removed") }
      return { _ in for errand in errands { errand.perform() } }
    }
  }
}

/// An action that empties the cache, aborts all requests of queries, and fetches the queries that
/// have subscribers again.
///
/// Dispatch the action, for example, when the user signs out. Running mutations continue.
public struct ResetQueries: Action, Equatable {
  /// Creates the action.
  public init() {}

  /// Marks all requests of queries as canceled, and returns a closure that completes the
  /// cancellation.
  public func _startWork(in context: ActionContext) -> WorkStart? {
    context.needsCache(for: self) {
      context.queryCoordinator.willRemove(nil)
      return CancelWork(of: FetchQuery.self, because: "the cache was reset")._startWork(in: context)
    }
  }
}

/// An action that reports whether the app is in the foreground, or whether the network is
/// available.
///
/// The app dispatches the action. The plug-in of the ``QuerySlice`` then fetches the queries whose
/// subscribers ask for it, and pauses or resumes polling. When the network becomes available, the
/// plug-in also fetches the queries with subscribers whose last request has failed, in the order
/// in which the requests failed.
public enum AppActivity: Action, Hashable {
  /// The app has come to the foreground.
  case focused
  /// The app has gone to the background.
  case unfocused
  /// The network has become available.
  case online
  /// The network has become unavailable.
  case offline

  /// Reports an error if the store has no cache.
  public func _startWork(in context: ActionContext) -> WorkStart? { context.needsCache(for: self) }
}

/// The state of the app and of the network.
public struct AppActivityState: Hashable, Sendable {
  /// A Boolean value that indicates whether the app is in the foreground.
  public internal(set) var isFocused = true
  /// A Boolean value that indicates whether the network is available.
  public internal(set) var isOnline = true
  /// The number of times that the app has come to the foreground.
  var focusCount = 0
  /// The number of times that the network has become available.
  var onlineCount = 0

  init() {}

  mutating func changed(to activity: AppActivity) {
    switch activity {
    case .focused:
      if !isFocused { focusCount += 1 }
      isFocused = true
    case .unfocused: isFocused = false
    case .online:
      if !isOnline { onlineCount += 1 }
      isOnline = true
    case .offline: isOnline = false
    }
  }
}

/// An action that stores results that did not come from a request.
///
/// A stored result counts as the answer of a request that began and ended now. A request that is
/// running is aborted. See ``FluxCore/StateSource/write(_:to:)``.
public struct WriteQuery: Action {
  let key: QueryKey
  let answer: QueryAnswer

  /// Marks the request of the entry as canceled, and returns a closure that completes the
  /// cancellation.
  public func _startWork(in context: ActionContext) -> WorkStart? {
    context.needsCache(for: self) {
      let errands = context.markCancelled(key, because: "a newer result was written")
      return { _ in errands.perform() }
    }
  }
}

extension ActionContext {
  /// Prepares the work of an action that changes a cache, or returns a closure that reports an
  /// error if the store has no cache.
  func needsCache(for action: some Action, _ prepare: () -> WorkStart? = { nil }) -> WorkStart? {
    if hasQueryCache { return prepare() }
    return { context in context.report(QueryFailure(.noCache), of: action) }
  }

  /// Marks the request of an entry as canceled, and returns the steps that cancel it.
  fileprivate func markCancelled(_ key: QueryKey, because reason: String) -> Errands {
    scope.markCancelled(.id(WorkID(of: FetchQuery.self, key: WorkKey(key))), because: reason)
  }
}

/// An action that applies a change that the server has reported without a request.
///
/// See ``QueryUpdates/update(_:)``.
public struct UpdateQuery: Action {
  /// The change.
  public let edit: QueryEdit
  /// The time at which the change arrived.
  let time: Duration
}

/// An action that makes manual edits of results.
///
/// See ``FluxCore/StateSource/edit(_:)``.
public struct EditQueries: Action {
  let id: EditID
  /// The edits.
  public let edits: [QueryEdit]

  /// Reports an error if the store has no cache.
  public func _startWork(in context: ActionContext) -> WorkStart? { context.needsCache(for: self) }
}

/// An action that undoes manual edits.
///
/// See ``QueryUndo/undo()``.
public struct UndoQueryEdits: Action {
  let id: EditID
  /// The identities of the edited entries.
  public let keys: [QueryKey]
}

/// An action that ends a request that a restored state contains, and that is not running.
struct ForgetRequest: Action, Equatable, CustomStringConvertible {
  let request: RunningRequest

  var description: String { "ForgetRequest(\(request.id))" }
}

/// The identity of a request of a query, or of a mutation.
///
/// Stores number their requests from 1, so the number alone does not identify a request of a state
/// that comes from another store.
struct RunningRequest: Hashable, Sendable {
  /// The identity of the query's entry, or `nil` for a mutation.
  let key: QueryKey?
  let id: RequestID

  /// Hashes the number, because few requests have the same number.
  func hash(into hasher: inout Hasher) {
    hasher.combine(id)
  }
}

extension InvalidateTags: CustomStringConvertible {
  /// The name of the action and the tags.
  public var description: String {
    "InvalidateTags(\(tags.map(\.description).sorted().joined(separator: ", ")))"
  }
}

extension RemoveQueries: CustomStringConvertible {
  /// The name of the action and the queries.
  public var description: String { "RemoveQueries(\(keys.map(\.description).joined(separator: ", ")))" }
}

extension WriteQuery: CustomStringConvertible {
  /// The name of the action, the query, and the result.
  public var description: String { "WriteQuery(\(key): \(answer))" }
}

extension UpdateQuery: CustomStringConvertible {
  /// The name of the action and the query.
  public var description: String { "UpdateQuery(\(edit))" }
}

extension EditQueries: CustomStringConvertible {
  /// The name of the action and the queries.
  public var description: String { "EditQueries(\(edits.map(\.description).joined(separator: ", ")))" }
}

extension UndoQueryEdits: CustomStringConvertible {
  /// The name of the action and the queries.
  public var description: String { "UndoQueryEdits(\(keys.map(\.description).joined(separator: ", ")))" }
}
