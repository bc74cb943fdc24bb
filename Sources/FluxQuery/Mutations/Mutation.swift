public import FluxAsync
import FluxCore

/// A change on a server, and its effect on the results of queries.
///
/// ```swift
/// struct RenameFilm: Mutation {
///   let id: Int
///   let title: String
///
///   func perform(in context: RequestContext<AppState>) async throws -> Film {
///     try await context.services((any FilmService).self).rename(id, to: title)
///   }
///
///   func optimisticEdits() -> [QueryEdit] {
///     [.edit(FilmByID(id: id)) { film in film.title = title }]
///   }
///
///   func edits(for film: Film) -> [QueryEdit] { [.write(film, to: FilmByID(id: id))] }
///
///   func invalidatedTags(for result: Result<Film, QueryFailure>) -> Set<QueryTag> {
///     [.list("Film")]
///   }
/// }
///
/// let film = try await store.mutate(RenameFilm(id: 7, title: "Playtime")).value
/// ```
///
/// **Optimistic edits.** While the mutation is running, the cache applies ``optimisticEdits()`` on
/// top of the last result of the server, also if a request answers in the meantime. If the
/// mutation fails, the cache removes these edits, and keeps the edits of all other mutations. If
/// the mutation succeeds, its edits become part of the result. The answer of a request that began
/// before the mutation succeeded receives the edits too, because the server may have answered
/// before it processed the mutation. An edit should therefore have no effect the second time:
/// assign a value instead of adding to it.
///
/// **Answers.** ``edits(for:)`` stores what the answer of the mutation contains, without another
/// request. ``invalidatedTags(for:)`` marks all other results that the mutation has changed.
///
/// The names come from RTK Query. RTK Query undoes an optimistic update with an inverse patch,
/// which can be wrong after a refetch or after another mutation.
public protocol Mutation<Value>: Sendable {
  /// The type of the state that the mutation uses: the type of the store's state, or a protocol to
  /// which that type conforms.
  associatedtype State: Sendable
  /// The type of the answer.
  associatedtype Value: Sendable

  /// The policy for the request of the mutation.
  ///
  /// All mutations of a type are of the same kind, unless the policy has a key. The default is
  /// ``/FluxAsync/WorkPolicy/every``.
  var policy: WorkPolicy { get }

  /// Changes the data on the server.
  ///
  /// The store calls this method in a task, and again for each retry that the policy allows.
  func perform(in context: RequestContext<State>) async throws -> Value

  /// Returns the edits that the cache shows while the mutation is running.
  ///
  /// The default is an empty array.
  func optimisticEdits() -> [QueryEdit]

  /// Returns the changes to results that an answer contains.
  ///
  /// The default is an empty array.
  func edits(for value: Value) -> [QueryEdit]

  /// Returns the tags of the results that the mutation has changed.
  ///
  /// The method must be quick, because the store calls it during a reduction if the request has
  /// failed. The default is an empty set.
  func invalidatedTags(for result: Result<Value, QueryFailure>) -> Set<QueryTag>

  /// Performs one attempt, in a store whose state can have any type.
  ///
  /// The default calls ``perform(in:)``. The store calls this method. Apps do not call or
  /// implement it.
  nonisolated(nonsending) func _perform(
    in context: TaskContext<Void>, as id: RequestID
  ) async throws -> MutationAnswer

  /// Returns the tags that a failure invalidates.
  ///
  /// The store calls this method. Apps do not call or implement it.
  func _invalidatedTags(for failure: QueryFailure) -> Set<QueryTag>
}

extension Mutation {
  /// The default policy, which runs every mutation.
  public var policy: WorkPolicy { .every }

  /// Returns an empty array.
  public func optimisticEdits() -> [QueryEdit] { [] }

  /// Returns an empty array.
  public func edits(for value: Value) -> [QueryEdit] { [] }

  /// Returns an empty set.
  public func invalidatedTags(for result: Result<Value, QueryFailure>) -> Set<QueryTag> { [] }

  /// Calls ``perform(in:)`` with the state of the store.
  ///
  /// The compiler specializes this method for the type of the mutation.
  @inlinable
  nonisolated(nonsending) public func _perform(
    in context: TaskContext<Void>, as id: RequestID
  ) async throws -> MutationAnswer {
    let value = try await perform(in: RequestContext<State>(ofQuery: context, id))
    return MutationAnswer(
      value, edits: edits(for: value), invalidatedTags: invalidatedTags(for: .success(value)),
      at: context.time)
  }

  /// Calls ``invalidatedTags(for:)`` with the failure.
  @inlinable
  public func _invalidatedTags(for failure: QueryFailure) -> Set<QueryTag> {
    invalidatedTags(for: .failure(failure))
  }
}

/// The answer of a mutation, with its effect on the results of queries.
public struct MutationAnswer: Sendable {
  /// The answer, which is of the mutation's value type.
  public let value: any Sendable
  /// The changes to results that the answer contains.
  public let edits: [QueryEdit]
  /// The tags that the answer invalidates.
  public let invalidatedTags: Set<QueryTag>
  /// The time at which the answer arrived, as measured by the clock that the store uses for
  /// asynchronous work.
  public let time: Duration

  /// Creates an answer, for use in tests of reducers.
  public init(
    _ value: any Sendable, edits: [QueryEdit] = [], invalidatedTags: Set<QueryTag> = [],
    at time: Duration = .zero
  ) {
    self.value = value
    self.edits = edits
    self.invalidatedTags = invalidatedTags
    self.time = time
  }
}

extension MutationAnswer: CustomStringConvertible {
  /// The description of the answer.
  public var description: String { ValueDescription.text(of: value) }
}
