import FluxAsync
public import FluxCore

/// A query whose result changes while it is in the cache, for example through a socket.
///
/// ```swift
/// extension MessagesOfRoom: StreamingQuery {
///   func stream(to entry: QueryUpdates<MessagesOfRoom>) async throws {
///     for try await message in try entry.services((any ChatService).self).messages(in: room) {
///       entry.update { messages in messages[id: message.id] = message }
///     }
///   }
/// }
/// ```
///
/// The store calls ``stream(to:)`` in a task when the entry of the query has its first result. If
/// the entry is an entity that only other entries contain, the store calls the method when the
/// entry has its first subscriber. When the entry is removed, the store cancels the task, and
/// drops the updates that the task makes afterward. If the entry is created again, the store
/// calls the method again. If the method returns or throws an error, the store does not call it
/// again for the same entry. Errors are reported as errors of a ``/FluxAsync/KeptWork`` whose key
/// is the ``QueryKey``.
public protocol StreamingQuery: Query {
  /// Receives changes from the server, and applies them to the entry.
  func stream(to entry: QueryUpdates<Self>) async throws
}

/// The entry that a ``StreamingQuery`` updates.
public struct QueryUpdates<Updated: Query>: Sendable {
  /// A proxy of the store, which drops actions after the entry was removed.
  public let store: StoreProxy<Updated.State>
  private let query: Updated

  init(of query: Updated, in store: StoreProxy<Updated.State>) {
    self.query = query
    self.store = store
  }

  /// The services of the store.
  public var services: Services { store.services }

  /// Changes the result.
  ///
  /// If a request of the query is running, the change is also applied to its answer, because the
  /// server may have answered before the change. A change should therefore have no effect the
  /// second time. The closure must be quick, because it runs during a reduction.
  public func update(_ body: @escaping @Sendable (inout Updated.Value) -> Void) {
    store.dispatch(UpdateQuery(edit: .edit(query, body), time: store.time))
  }

  /// Replaces the result.
  public func write(_ value: Updated.Value) {
    store.dispatch(UpdateQuery(edit: .write(value, to: query), time: store.time))
  }
}

extension StreamingQuery {
  /// Calls the closure of the query with a proxy of the store for the query's type of state.
  ///
  /// - Parameter cache: A proxy of the cache, which drops actions after the entry was removed.
  func stream(in cache: StoreProxy<QueryCache>) async throws {
    guard let store = cache.context.store(of: State.self) else { return }
    try await stream(to: QueryUpdates(of: self, in: store.dispatching(by: cache.dispatch)))
  }
}
