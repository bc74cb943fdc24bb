public import FluxAsync
public import FluxCore

/// An action that performs a mutation.
///
/// ``FluxCore/StateSource/mutate(_:as:)`` dispatches this action. The requests of all mutations
/// have this type, so reducers, logs, and listeners can handle all of them in one place.
public struct PerformMutation: AsyncRequest {
  /// The mutation.
  public let mutation: any Mutation
  /// The name under which the cache keeps the state of the mutation, or `nil` if the state is not
  /// tracked.
  public let id: MutationID?
  /// A number that distinguishes this action from actions with an equal mutation.
  private let number = CacheContents.nextVersion()

  /// Creates an action that performs a mutation.
  public init(_ mutation: some Mutation, as id: MutationID? = nil) {
    self.mutation = mutation
    self.id = id
  }

  /// The policy of the mutation, whose key also contains the type of the mutation.
  public var policy: WorkPolicy {
    mutation.policy.keyed(alsoBy: ObjectIdentifier(type(of: mutation)))
  }

  /// Performs the mutation.
  public func perform(in context: RequestContext<any FluxState>) async throws -> MutationAnswer {
    try await mutation._perform(in: context.task, as: context.id)
  }

  /// Performs the mutation.
  ///
  /// The default implementation would create a proxy for a state of any type, which the action
  /// does not use.
  nonisolated(nonsending) public func _perform(
    in context: TaskContext<Void>, as id: RequestID
  ) async throws -> (event: any RequestEvent, value: any Sendable) {
    let answer = try await mutation._perform(in: context, as: id)
    return (RequestFulfilled(self, id: id, value: answer), answer)
  }

  /// Prepares the request, and returns a closure that starts the request.
  public func _startWork(in context: ActionContext) -> WorkStart? {
    context.queryCoordinator.start(self, of: nil, in: context) { true }
  }
}

extension PerformMutation: Equatable {
  /// Returns a Boolean value that indicates whether two values are copies of one action.
  public static func == (first: PerformMutation, second: PerformMutation) -> Bool {
    first.number == second.number
  }
}

extension PerformMutation: CustomStringConvertible {
  /// The description of the mutation.
  public var description: String { ValueDescription.text(of: mutation) }
}

extension RequestFulfilled where Request == PerformMutation {
  /// Returns the answer of a mutation of a type, or `nil` if the mutation is of another type.
  public func value<Performed: Mutation>(of type: Performed.Type) -> Performed.Value? {
    request.mutation is Performed ? value.value as? Performed.Value : nil
  }
}

/// A handle for a mutation that was started.
///
/// Releasing the handle does not abort the mutation. The handle is safe to use from any thread.
public struct MutationTask<Value: Sendable>: Sendable {
  private let request: RequestTask<PerformMutation>

  init(_ request: RequestTask<PerformMutation>) {
    self.request = request
  }

  /// The outcome of the mutation.
  ///
  /// When the outcome is available, the cache already reflects it. If the waiting task is
  /// canceled, and no other task is waiting, the mutation is aborted.
  public var result: Result<Value, QueryFailure> {
    get async {
      switch await request.result {
      case .success(let answer):
        guard let value = answer.value as? Value else {
          preconditionFailure("A mutation must have an answer of its type.")
        }
        return .success(value)
      case .failure(.unwanted): return .failure(QueryFailure(.noCache))
      case .failure(let failure): return .failure(QueryFailure(of: failure))
      }
    }
  }

  /// The answer of the mutation.
  ///
  /// Reading the property waits for the outcome, and throws a ``QueryFailure`` if the mutation has
  /// no answer.
  public var value: Value {
    get async throws(QueryFailure) { try await result.get() }
  }

  /// Aborts the mutation, and removes its optimistic edits.
  ///
  /// The server may still perform the mutation. If the mutation has already ended, the method has
  /// no effect.
  public func abort(_ reason: String? = nil) {
    request.abort(reason)
  }
}
