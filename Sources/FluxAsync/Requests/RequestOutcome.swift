public import FluxCore

/// The outcome of a request, without the types of its value and its error.
///
/// The types are removed so that the objects that wait for an outcome are not generic. Generic
/// objects look up their types at run time, which takes longer than the operation itself.
@usableFromInline
indirect enum RequestOutcome: Sendable {
  /// The request has returned the value that the event contains.
  case fulfilled(any RequestEvent)
  /// The request threw an error. If the error is not of the request's type, the work was canceled
  /// before.
  case failed(any Error)
  /// The request has no value, for a reason other than an error that it threw.
  case ended(RequestFailure<Never>)

  /// Creates the outcome of work that threw an error.
  init(of error: any Error) {
    self =
      switch error {
      case is StoreHasGone: .ended(.aborted(reason: nil))
      case let error as WorkError where error.code == .timedOut: .ended(.timedOut)
      default: .failed(error)
      }
  }

  /// Returns the event that reports the outcome.
  func event<Request: AsyncRequest>(of request: Request, _ id: RequestID) -> any RequestEvent {
    if case .fulfilled(let event) = self { return event }
    return rejected(request, id)
  }

  // In the caller, the look-up of the event's type would precede the test of the case.
  @inline(never)
  private func rejected<Request: AsyncRequest>(_ request: Request, _ id: RequestID) -> any RequestEvent {
    RequestRejected(request, id: id, failure: failure(of: Request.self))
  }

  /// Returns the outcome with the types of the request.
  @inlinable
  func result<Request: AsyncRequest>(
    of request: Request.Type
  ) -> Result<Request.Value, RequestFailure<Request.Failure>> {
    guard case .fulfilled(let event) = self else { return .failure(failure(of: request)) }
    guard ActionType(RequestFulfilled<Request>.self).matches(event) else {
      preconditionFailure("A request must be fulfilled by an event of its type.")
    }
    return .success(event.knownToBe(RequestFulfilled<Request>.self).value)
  }

  /// Returns the reason why the request has no value, with the type of the request's error.
  @usableFromInline
  func failure<Request: AsyncRequest>(of request: Request.Type) -> RequestFailure<Request.Failure> {
    switch self {
    case .fulfilled: preconditionFailure("A fulfilled request must have no failure.")
    case .failed(let error):
      // The work of a request with a typed error throws another error only after it was canceled.
      (error as? Request.Failure).map { .failed($0) } ?? .aborted(reason: nil)
    case .ended(.timedOut): .timedOut
    case .ended(.aborted(let reason)): .aborted(reason: reason)
    case .ended(.unwanted): .unwanted
    case .ended(.notStarted): .notStarted
    case .ended(.otherState): .otherState
    }
  }
}
