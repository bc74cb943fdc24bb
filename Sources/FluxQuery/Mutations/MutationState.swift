public import FluxAsync
import FluxCollections
public import FluxCore

/// The name under which a cache keeps the state of a mutation.
///
/// Several parts of an app that use the same name share the state. The newest mutation with a name
/// replaces the state of the previous one.
public struct MutationID: Hashable, Sendable, Codable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The name.
  public let name: String

  /// Creates an id from a name.
  public init(_ name: String) {
    self.name = name
  }

  /// Creates an id from a string literal.
  public init(stringLiteral name: String) {
    self.init(name)
  }

  /// The name.
  public var description: String { name }
}

/// The state of a tracked mutation in a ``QueryCache``.
public struct MutationEntry: Identifiable, Sendable {
  /// The name of the mutation.
  public let id: MutationID
  /// The newest mutation with the name.
  public let mutation: any Mutation
  /// The identity of the request of the mutation.
  public let request: RequestID
  /// The answer, or `nil` if the mutation has not succeeded.
  public internal(set) var value: (any Sendable)?
  /// The failure, or `nil` if the mutation has not failed.
  public internal(set) var error: QueryFailure?

  /// A Boolean value that indicates whether the mutation is running.
  public var isLoading: Bool { value == nil && error == nil }
}

extension MutationEntry: Equatable {
  /// Returns a Boolean value that indicates whether two entries belong to the same request and
  /// have the same outcome.
  public static func == (first: MutationEntry, second: MutationEntry) -> Bool {
    first.id == second.id && first.request == second.request && first.error == second.error
      && (first.value == nil) == (second.value == nil)
  }
}

/// The state of a tracked mutation, with the type of its answer.
public struct MutationState<Value: Sendable>: Sendable {
  /// The answer of the newest mutation, or `nil`.
  public let data: Value?
  /// The failure of the newest mutation, or `nil`.
  public let error: QueryFailure?
  /// A Boolean value that indicates whether the newest mutation is running.
  public let isLoading: Bool

  /// Creates a state, for use in tests and previews of views.
  public init(data: Value? = nil, error: QueryFailure? = nil, isLoading: Bool = false) {
    self.data = data
    self.error = error
    self.isLoading = isLoading
  }

  /// A Boolean value that indicates whether the newest mutation has succeeded.
  public var isSuccess: Bool { data != nil }
  /// A Boolean value that indicates whether no mutation was performed since the last reset.
  public var isUninitialized: Bool { data == nil && error == nil && !isLoading }
}

extension MutationState: Equatable where Value: Equatable {}

extension QueryCache {
  /// Returns the state of the newest mutation with a name.
  ///
  /// If the newest mutation with the name is of another type, the state is the state before any
  /// mutation.
  public func state<Performed: Mutation>(
    of id: MutationID, _ type: Performed.Type
  ) -> MutationState<Performed.Value> {
    guard let entry = mutations[id: id], entry.mutation is Performed else { return MutationState() }
    return MutationState(
      data: entry.value as? Performed.Value, error: entry.error, isLoading: entry.isLoading)
  }
}

extension CacheContents {
  // MARK: Events

  mutating func trackedBegan(_ mutation: any Mutation, as id: MutationID?, _ request: RequestID) {
    guard let id else { return }
    mutations.set(MutationEntry(id: id, mutation: mutation, request: request))
  }

  mutating func trackedEnded(
    _ id: MutationID?, _ request: RequestID, with result: Result<any Sendable, QueryFailure>
  ) {
    guard let id, mutations[id: id]?.request == request else { return }
    mutations.update(id) { entry in
      switch result {
      case .success(let value): entry.value = value
      case .failure(let failure): entry.error = failure
      }
    }
  }
}

/// An action that forgets the state of a tracked mutation.
///
/// The mutation continues if it is running.
public struct ResetMutation: Action, Equatable {
  /// The name of the mutation.
  public let id: MutationID

  /// Creates the action.
  public init(_ id: MutationID) {
    self.id = id
  }

  /// Reports an error if the store has no cache.
  public func _startWork(in context: ActionContext) -> WorkStart? { context.needsCache(for: self) }
}
