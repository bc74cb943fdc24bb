public import FluxCore

/// An action that requests a value, and dispatches actions that report the progress of the
/// request.
///
/// A request is pending until it is fulfilled or rejected.
///
/// ```swift
/// struct FetchUser: AsyncRequest {
///   let id: Int
///
///   func isWanted(in state: AppState) -> Bool { state.users[id] == nil && !state.loading.contains(id) }
///
///   func perform(in context: RequestContext<AppState>) async throws -> User {
///     try await context.services((any UserService).self).user(id)
///   }
/// }
///
/// let userReducer: ActionHandlers<AppState> = combine(
///   on(FetchUser.Pending.self) { state, action in state.loading.insert(action.request.id) },
///   on(FetchUser.Fulfilled.self) { state, action in
///     state.loading.remove(action.request.id)
///     state.users[action.request.id] = action.value
///   },
///   on(FetchUser.Rejected.self) { state, action in state.loading.remove(action.request.id) })
///
/// store.dispatch(FetchUser(id: 3))
/// let user = try await store.request(FetchUser(id: 3)).value
/// ```
///
/// **Order.** When the request arrives at the end of the chain, the store calls
/// ``isWanted(in:)`` and reduces the request. If the request is wanted, ``Pending`` is
/// dispatched next, on the same thread and before `dispatch` returns. When a later request
/// arrives, the state therefore already reflects `Pending`. The state may not reflect `Pending`
/// yet if an observer of the first request dispatches the later request, or if another thread
/// dispatches the later request at the same time. With the policy ``WorkPolicy/leading``, only
/// one of several concurrent requests starts. After `Pending` is dispatched, a task performs the
/// request. Each `Pending` is followed by exactly one ``Fulfilled`` or ``Rejected``, unless the
/// store is released first.
///
/// **Policy.** If the policy delays the request, `Pending` is dispatched when the request
/// begins. The retries and the time limit of the policy apply between `Pending` and the
/// outcome. If ``WorkPolicy/latest`` cancels a pending request, that request is rejected before
/// the newer request becomes pending.
///
/// **Cancellation.** ``RequestTask/abort(_:)``, ``CancelWork``, and the policy can reject the
/// request immediately with ``RequestFailure/aborted(reason:)``. The request is also rejected
/// when the dispatch that it belongs to is canceled. If the work of a rejected request
/// continues, its result is dropped. If a task is already canceled when it calls `request(_:)`,
/// the request is not sent.
///
/// **Path.** A request passes these places from its dispatch to its outcome:
///
/// 1. `Store.dispatch(_:)` sends the request through the chain.
/// 2. At the end of the chain, `AsyncRequest._startWork` prepares the work of the request.
/// 3. `WorkStateMachine.arrive` applies the policy, before the request is reduced.
/// 4. The reducer receives the request.
/// 5. `Work.start` begins the work, or leaves it to the task of the work.
/// 6. `RequestSteps.begin` dispatches ``Pending``.
/// 7. `WorkOperation.run` runs in the task, and waits for its turn if necessary.
/// 8. `RequestSteps.run` calls ``perform(in:)`` as often as the policy allows.
/// 9. `RequestRun.dispatched` dispatches ``Fulfilled`` or ``Rejected``.
/// 10. `RequestRun.end` resumes the callers that wait.
///
/// The life cycle of a request comes from Redux Toolkit's `createAsyncThunk`.
public protocol AsyncRequest: WorkAction {
  /// The type of the state that the request uses: the type of the store's state, or a protocol
  /// to which that type conforms.
  associatedtype State: Sendable
  /// The type of the value that the request returns.
  associatedtype Value: Sendable
  /// The type of the error that the request throws.
  associatedtype Failure: Error = any Error

  /// A Boolean value that indicates whether an unwanted request dispatches ``Rejected`` with
  /// ``RequestFailure/unwanted``.
  ///
  /// The default is `false`.
  var tellsWhenUnwanted: Bool { get }

  /// Returns a Boolean value that indicates whether the request is wanted.
  ///
  /// The store calls this method with the state before the request is reduced. If the request has
  /// to wait, the store calls this method again when the request begins. The second call receives
  /// the current state, in which the request itself is already reduced. Therefore, the method
  /// should test a value that ``Pending`` changes, and not a value that the request itself
  /// changes. If the policy is ``WorkPolicy/leading``, the store calls this method again after
  /// earlier requests have dispatched their events. The first call may have received a state that
  /// does not reflect the events of earlier requests.
  ///
  /// The default is `true`.
  func isWanted(in state: State) -> Bool

  /// Performs one attempt of the request.
  ///
  /// The store calls this method in a task, and again for each retry that the policy allows.
  func perform(in context: RequestContext<State>) async throws(Failure) -> Value

  /// Returns a Boolean value that indicates whether the request is wanted in a store whose state
  /// can have any type.
  ///
  /// The default calls ``isWanted(in:)``, or returns `false` if the state is not of the type that
  /// the request uses. The store calls this method. Apps do not call or implement it.
  func _isWanted(in context: ActionContext) -> Bool

  /// Performs one attempt of the request, in a store whose state can have any type.
  ///
  /// The default calls ``perform(in:)``, and returns the value and ``Fulfilled`` with the value.
  /// The store calls this method. Apps do not call or implement it.
  nonisolated(nonsending) func _perform(
    in context: TaskContext<Void>, as id: RequestID
  ) async throws -> (event: any RequestEvent, value: any Sendable)
}

extension AsyncRequest {
  /// The action that is dispatched before the store calls ``AsyncRequest/perform(in:)``.
  public typealias Pending = RequestPending<Self>
  /// The action that is dispatched when a request has returned a value.
  public typealias Fulfilled = RequestFulfilled<Self>
  /// The action that is dispatched when a request has ended without a value.
  public typealias Rejected = RequestRejected<Self>

  /// The default value, which is `false`.
  ///
  /// With the default value, an unwanted request dispatches no events.
  public var tellsWhenUnwanted: Bool { false }

  /// Returns `true`.
  public func isWanted(in state: State) -> Bool { true }

  /// Calls ``isWanted(in:)`` with the state of the store.
  ///
  /// The compiler specializes this method for the type of the request.
  @inlinable
  public func _isWanted(in context: ActionContext) -> Bool {
    guard let state = context.stateToKeep(of: State.self) else { return false }
    return isWanted(in: state)
  }

  /// Calls ``perform(in:)`` with the state of the store.
  ///
  /// The compiler specializes this method for the type of the request.
  @inlinable @inline(__always)
  nonisolated(nonsending) public func _perform(
    in context: TaskContext<Void>, as id: RequestID
  ) async throws -> (event: any RequestEvent, value: any Sendable) {
    guard let context = RequestContext<State>(context.current, id) else { throw StoreHasGone() }
    let value = try await perform(in: context)
    return (RequestFulfilled(self, id: id, value: value), value)
  }

  /// Prepares the request, and returns a closure that starts the request.
  ///
  /// The compiler specializes this method for the type of the request.
  @inlinable
  public func _startWork(in context: ActionContext) -> WorkStart? {
    start(in: context)
  }

  /// Prepares the request, as ``_startWork(in:)`` does.
  ///
  /// A request of a generic type calls this method where its type is statically known.
  @inlinable
  package func start(in context: ActionContext) -> WorkStart? {
    let id = context.nextRequestID()
    let steps = RequestSteps(self, RequestPending(self, id: id), id, in: context)
    guard let state = context.stateToKeep(of: State.self) else { return steps.neverBegins(in: State.self) }
    return isWanted(in: state) ? steps.start() : steps.neverBegins(because: .unwanted)
  }

  /// Prepares a request that does not depend on the type of the state, and returns a closure that
  /// starts the request.
  ///
  /// - Parameters:
  ///   - context: The context of the action.
  ///   - policy: The policy of the request.
  ///   - isWanted: A Boolean value that indicates whether the request is wanted.
  ///   - onEnd: A closure that is called once, after the event of the outcome was dispatched, or
  ///     when the request ends without an event.
  /// - Returns: The identity of the request, and the closure that starts it.
  package func start(
    in context: ActionContext, _ policy: WorkPolicy, isWanted: Bool,
    onEnd: @escaping @Sendable (RequestID) -> Void
  ) -> (id: RequestID, start: WorkStart?) {
    let id = context.nextRequestID()
    let steps = RequestSteps(self, RequestPending(self, id: id), id, in: context, policy, onEnd: onEnd)
    return (id, isWanted ? steps.start() : steps.neverBegins(because: .unwanted))
  }
}

/// The context in which one attempt of a request is performed.
public struct RequestContext<State: Sendable>: Sendable {
  /// A proxy that gives access to the store without keeping the store alive.
  ///
  /// After the request is aborted, actions that are dispatched through the proxy are dropped. If
  /// the policy retries the request or limits its time, actions that are dispatched after this
  /// attempt has failed are also dropped.
  public let store: StoreProxy<State>
  /// The identity of the request.
  public let id: RequestID
  /// The state at the beginning of this attempt.
  @inlinable
  public var state: State {
    store.context.readsKeptState()
    return keptState
  }
  /// The number of this attempt, starting from 1.
  public var attempt: Int { current.attemptNumber }
  /// The error that the previous attempt threw.
  ///
  /// If the previous attempt exceeded the time limit, the error has the code
  /// ``WorkError/Code/timedOut``.
  ///
  /// The value is `nil` for the first attempt.
  public var lastError: (any Error)? { current.lastError }

  @usableFromInline let keptState: State
  @usableFromInline let current: any Attempt

  /// Creates the context of an attempt, or returns `nil` if the store was released.
  @inlinable
  init?(_ attempt: any Attempt, _ id: RequestID) {
    guard let store = attempt.context.store(of: State.self, usedBy: attempt), let state = store.stateToKeep
    else { return nil }
    store.context.keepsState()
    self.store = store
    self.id = id
    keptState = state
    current = attempt
  }

  /// Creates the context of an attempt from the context of a task.
  ///
  /// - Throws: An error if the store was released, or if its state is of another type.
  @inlinable
  package init(of task: TaskContext<Void>, _ id: RequestID) throws {
    guard let context = RequestContext(task.current, id) else { throw StoreHasGone() }
    self = context
  }

  /// The context as the context of a task.
  package var task: TaskContext<Void> { TaskContext(current) }

  /// The current time of the clock that the store uses for asynchronous work.
  ///
  /// Use the time, for example, to record when a response arrived.
  public var time: Duration { store.context.time }

  /// The services of the store.
  ///
  /// The error of a failed look-up names the request. After the store is released, each look-up
  /// throws an error.
  public var services: Services { store.services }

  /// Dispatches an action through the store's whole chain.
  public func dispatch(_ action: any Action) {
    store.dispatch(action)
  }
}
