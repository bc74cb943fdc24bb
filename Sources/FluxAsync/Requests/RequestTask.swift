public import FluxCore

/// A handle for a request that was sent.
///
/// Use the handle to wait for the outcome of the request, or to abort the request.
///
/// ```swift
/// let request = store.request(FetchUser(id: 3))
/// do {
///   show(try await request.value)
/// } catch .unwanted {
///   show(store.state.users[3])
/// }
/// request.abort("the view has gone")
/// ```
///
/// Releasing the handle does not abort the request. The handle is safe to use from any thread,
/// and several tasks can wait for the outcome at the same time.
public struct RequestTask<Request: AsyncRequest>: Sendable {
  @usableFromInline let start: RequestStart

  @usableFromInline
  init(start: RequestStart) {
    self.start = start
  }

  /// The run of the request, or `nil` if the request has not started.
  private var run: RequestRun? {
    switch start {
    case .started(let run): run
    case .failed: nil
    case .deferred(let ticket): ticket.value as? RequestRun
    }
  }

  /// The identity of the request, or `nil` if the request was not started or is still deferred
  /// by a plug-in.
  public var id: RequestID? { run?.id }

  /// The number of tasks that are waiting for the outcome.
  package var waiting: Int { run?.waiting ?? 0 }

  /// The outcome of the request.
  ///
  /// When the outcome is available, the event that reports the outcome has already been
  /// dispatched. If every middleware passed the event on, the event has also been reduced. If a
  /// waiting task is canceled, it stops waiting, and if no other task is waiting, the request is
  /// aborted.
  @inlinable
  public var result: Result<Request.Value, RequestFailure<Request.Failure>> {
    get async { await outcome().result(of: Request.self) }
  }

  /// Waits for the outcome.
  @inlinable @inline(__always)
  nonisolated(nonsending) func outcome() async -> RequestOutcome {
    guard case .started(let run) = start else { return await outcomeIfStarted() }
    return await run.wait()
  }

  /// Waits for the outcome of a request that has not started.
  @usableFromInline
  nonisolated(nonsending) func outcomeIfStarted() async -> RequestOutcome {
    switch start {
    case .started(let run): return await run.wait()
    case .failed(let failure): return .ended(failure)
    case .deferred(let ticket):
      guard let run = await ticket.settledValue() as? RequestRun else { return .ended(.notStarted) }
      return await run.wait()
    }
  }

  /// The value that the request returned.
  ///
  /// Reading the property waits for the outcome, and throws a ``RequestFailure`` if the request
  /// has no value.
  public var value: Request.Value {
    get async throws(RequestFailure<Request.Failure>) {
      try await result.get()
    }
  }

  /// Rejects the request immediately, and cancels its work.
  ///
  /// If the request is already settled, the method has no effect.
  ///
  /// - Parameter reason: The reason for the abort, as contained in
  ///   ``RequestFailure/aborted(reason:)``.
  public func abort(_ reason: String? = nil) {
    switch start {
    case .started(let run): run.abort(reason)
    case .failed: break
    case .deferred(let ticket): ticket.whenSettled { ($0 as? RequestRun)?.abort(reason) }
    }
  }
}

/// The result of sending a request.
@usableFromInline
enum RequestStart: Sendable {
  case started(RequestRun)
  case failed(RequestFailure<Never>)
  /// A plug-in has deferred the request, and the request starts when the plug-in passes the
  /// request on.
  case deferred(DispatchTicket)

  /// Sends a request, and waits until the request arrives, is deferred, or is not passed on.
  @usableFromInline
  static func send<Request: AsyncRequest>(
    _ request: Request, in context: ActionContext, by dispatch: () -> Void
  ) -> RequestStart {
    guard !Task.isCancelled else {
      return .failed(.aborted(reason: "the task that dispatched the request was canceled"))
    }
    let type = ActionType(Request.self)
    let ticket = DispatchTicket { action, other in
      guard type.matches(action), other.isOfSameStore(as: context) else { return false }
      // Requests of a type that is not `Equatable` cannot be distinguished.
      return TypeFacts.of(Request.self).areEqual(unboxed: action.knownToBe(Request.self), request) ?? true
    }
    ticket.carry(dispatch)
    if let run = ticket.value as? RequestRun { return .started(run) }
    return ticket.isSettled ? .failed(.notStarted) : .deferred(ticket)
  }
}

extension Store {
  /// Sends a request through the chain, and returns a handle for waiting for the outcome.
  ///
  /// If a middleware does not pass the request on, or the policy drops the request, the outcome
  /// is ``RequestFailure/notStarted``. If the middleware passes the request on later, the
  /// outcome does not change. If the policy delays the request, the outcome is available when
  /// the request has ended.
  ///
  /// If the current task is already canceled, the request is not sent, and its outcome is
  /// ``RequestFailure/aborted(reason:)``. To send a request even from a canceled task, use
  /// `dispatch`.
  ///
  /// At the end of the chain, the store recognizes the request by its type, and by equality if
  /// the type is `Equatable`. Make the type `Equatable` if middleware dispatches other requests
  /// of the same type.
  @discardableResult @inlinable
  public func request<Request: AsyncRequest>(_ request: Request) -> RequestTask<Request> {
    RequestTask(start: .send(request, in: context) { dispatch(request) })
  }
}

extension StoreProxy {
  /// Sends a request through the store's chain, and returns a handle for waiting for the
  /// outcome.
  ///
  /// The method behaves like ``FluxCore/Store/request(_:)``.
  @discardableResult @inlinable
  public func request<Request: AsyncRequest>(_ request: Request) -> RequestTask<Request> {
    RequestTask(start: .send(request, in: context) { dispatch(request) })
  }
}
