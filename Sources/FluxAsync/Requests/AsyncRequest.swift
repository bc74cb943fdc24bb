public import FluxCore

/// An action that asks for something, and tells of it by actions: it is pending, then fulfilled or rejected.
///
/// ```swift
/// struct FetchUser: AsyncRequest {
///   let id: Int
///
///   func isWanted(in state: AppState) -> Bool { state.users[id] == nil && !state.loading.contains(id) }
///
///   func perform(in context: RequestContext<AppState>) async throws -> User {
///     try await service.user(id)
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
/// **Order.** When the request arrives at the end of the chain, ``isWanted(in:)`` is called, and the request itself is
/// reduced. If the request is wanted, ``Pending`` is dispatched next, on the same thread and before `dispatch` returns,
/// so that a later request finds `Pending` in the state. (An observer of the request itself that sends another one, and
/// another thread that sends one at the same moment, may find the state without it. A ``WorkAction/policy`` of
/// ``WorkPolicy/leading`` starts only one of them.) Then a task performs the request. Each `Pending` is followed by exactly
/// one ``Fulfilled`` or ``Rejected``, unless the store goes first.
///
/// **Policy.** With one that makes it wait, `Pending` is dispatched when it begins. Between the two, it is tried again and
/// given up as its policy says. One that ``WorkPolicy/latest`` cancels is rejected before the new one is pending.
///
/// **Cancelling.** ``RequestTask/abort(_:)``, ``CancelWork``, the cancelling of the dispatch it belongs to and its policy
/// have it rejected at once with ``RequestFailure/aborted(reason:)``, even if the work goes on; what comes of it then is
/// dropped. A task that is cancelled before it asks by `request(_:)` sends nothing.
///
/// The life cycle is that of Redux Toolkit's `createAsyncThunk`.
public protocol AsyncRequest: WorkAction {
  /// The state it works with: that of the store, or a protocol to which that conforms.
  associatedtype State: Sendable
  /// What it asks for.
  associatedtype Value: Sendable
  /// What it throws.
  associatedtype Failure: Error = any Error

  /// Whether one that is not wanted is told by ``Rejected`` with ``RequestFailure/unwanted``; by default it is not.
  var tellsWhenUnwanted: Bool { get }

  /// Whether to ask at all; by default it does.
  ///
  /// The store calls this method with the state that the request found: the state before the request is reduced. If the
  /// request has to wait, the store calls this method again when the request begins, with the current state. That state
  /// contains what the reducer did for the request itself, so test what ``Pending`` changes, not the request. If the
  /// policy is ``WorkPolicy/leading``, the store calls this method again once no other request that it could have missed
  /// is on its way.
  func isWanted(in state: State) -> Bool

  /// Does the work, in a task of its own: once, and for each further try that the policy grants.
  func perform(in context: RequestContext<State>) async throws(Failure) -> Value
}

extension AsyncRequest {
  /// A request was sent: its ``AsyncRequest/perform(in:)`` is about to be called.
  public typealias Pending = RequestPending<Self>
  /// A request was answered.
  public typealias Fulfilled = RequestFulfilled<Self>
  /// A request was not answered.
  public typealias Rejected = RequestRejected<Self>

  /// An unwanted request is dropped without a word.
  public var tellsWhenUnwanted: Bool { false }

  /// It is.
  public func isWanted(in state: State) -> Bool { true }

  /// Prepares the request, and returns a closure that starts it.
  public func _startWork(in context: ActionContext) -> (() -> Void)? {
    let run = RequestRun(self, in: context)
    DispatchTicket.current?.claim(run, for: self, in: context)
    return run.start()
  }
}

/// What a request is performed with.
public struct RequestContext<State: Sendable>: Sendable {
  /// The store, which this does not keep alive.
  ///
  /// Once the request is aborted, or the try it was given to is over, dispatching does nothing.
  public let store: StoreProxy<State>
  /// Which request it is.
  public let id: RequestID
  /// The state as it was when this try began.
  public let state: State
  /// Which try it is, from 1 on.
  public let attempt: Int
  /// What the try before this has thrown; ``WorkError/Code/timedOut`` if it took too long.
  public let lastError: (any Error)?

  /// The time on the clock of the store's work, such as that at which an answer came.
  public var time: Duration { store.context.time }

  /// Sends an action through the store's whole chain.
  public func dispatch(_ action: any Action) {
    store.dispatch(action)
  }
}
