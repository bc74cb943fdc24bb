public import FluxCore

/// A request that was sent, for who wants its answer.
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
/// Letting go of it changes nothing. Safe from any thread; several tasks may wait.
public struct RequestTask<Request: AsyncRequest>: Sendable {
  /// `nil` when the request was not started.
  private let run: RequestRun<Request>?
  /// Why it was not, if so.
  private let whyNot: RequestFailure<Request.Failure>

  /// Which request it is; `nil` when it was not started.
  public var id: RequestID? { run?.id }

  /// How many tasks wait for what comes of it.
  package var waiting: Int { run?.waiting ?? 0 }

  /// What came of the request.
  ///
  /// By then it has been dispatched, and has been reduced unless a middleware held it. A task that waits and is cancelled
  /// stops waiting; when it was the only one, the request is aborted.
  public var result: Result<Request.Value, RequestFailure<Request.Failure>> {
    get async {
      guard let run else { return .failure(whyNot) }
      return await run.wait()
    }
  }

  /// What the request asked for; waits as ``result`` does.
  public var value: Request.Value {
    get async throws(RequestFailure<Request.Failure>) {
      try await result.get()
    }
  }

  /// Has the request rejected at once, and its work cancelled; does nothing once it is settled.
  ///
  /// - Parameter reason: Why, for ``RequestFailure/aborted(reason:)``.
  public func abort(_ reason: String? = nil) {
    run?.abort(reason)
  }

  /// Sends a request, and catches the run that its arrival starts.
  static func send(
    _ request: Request, in context: ActionContext, by dispatch: (Request) -> Void
  ) -> RequestTask {
    guard !Task.isCancelled else {
      return RequestTask(run: nil, whyNot: .aborted(reason: "the task that asks was cancelled"))
    }
    let ticket = RequestTicket(
      for: context, isMeant: { ($0 as? Request).map { isSame($0, as: request) } ?? false })
    RequestTicket.$current.withValue(ticket) { dispatch(request) }
    return RequestTask(run: ticket.close() as? RequestRun<Request>, whyNot: .notStarted)
  }

  /// Gives a run to who sent its request, if that waits for it.
  static func claim(_ run: RequestRun<Request>, of request: Request, in context: ActionContext) {
    RequestTicket.current?.put(run, of: request, in: context)
  }
}

/// Who waits for the run of a request that is being dispatched: it travels with the dispatch.
final class RequestTicket: Sendable {
  private enum Contents: Sendable {
    case open
    case taken(any AnyObject & Sendable)
    case closed
  }

  @TaskLocal static var current: RequestTicket?

  private let context: ActionContext
  private let isMeant: @Sendable (any Action) -> Bool
  private let contents = Locked(Contents.open)

  init(for context: ActionContext, isMeant: @escaping @Sendable (any Action) -> Bool) {
    self.context = context
    self.isMeant = isMeant
  }

  /// Takes the run of the first request that is like the one that was sent, in the store that it was sent to.
  func put<Request: AsyncRequest>(_ run: RequestRun<Request>, of request: Request, in other: ActionContext) {
    guard other.isOfSameStore(as: context), isMeant(request) else { return }
    contents.withLock { contents in
      if case .open = contents { contents = .taken(run) }
    }
  }

  /// The run, if there is one; what comes later is nobody's.
  func close() -> (any AnyObject & Sendable)? {
    guard case .taken(let run) = contents.exchange(.closed) else { return nil }
    return run
  }
}

extension Store {
  /// Sends a request through the chain, and returns what to wait for its answer by.
  ///
  /// When a middleware holds it, its answer is ``RequestFailure/notStarted``, whatever becomes of it later; so it is when its
  /// policy drops it. One that its policy makes wait is answered when it is done.
  ///
  /// A task that is cancelled already asks for nothing: the request is not sent, and its answer is
  /// ``RequestFailure/aborted(reason:)``. What is to be done all the same is dispatched.
  ///
  /// It is known again at the end of the chain by its type, and by being equal where the type is `Equatable`: make it that
  /// if middleware dispatches other requests of the type on its way.
  @discardableResult
  public func request<Request: AsyncRequest>(_ request: Request) -> RequestTask<Request> {
    RequestTask.send(request, in: context) { dispatch($0) }
  }
}

extension StoreProxy {
  /// Sends a request through the store's chain, and returns what to wait for its answer by.
  ///
  /// As ``FluxCore/Store/request(_:)``.
  @discardableResult
  public func request<Request: AsyncRequest>(_ request: Request) -> RequestTask<Request> {
    RequestTask.send(request, in: context) { dispatch($0) }
  }
}

/// Whether two requests are equal; true where their type cannot tell.
private func isSame<Request: AsyncRequest>(_ first: Request, as second: Request) -> Bool {
  guard let first = first as? any Equatable else { return true }
  return first.isEqual(to: second)
}

extension Equatable {
  fileprivate func isEqual(to other: Any) -> Bool { other as? Self == self }
}
