import FluxCore

/// The outcome of a request, without the types of its value and its error.
///
/// The types are removed so that the objects that wait for an outcome are not generic. Generic
/// objects look up their types at run time, which takes longer than the operation itself.
@usableFromInline
indirect enum RequestOutcome: Sendable {
  /// The request has returned a value.
  case value(any Sendable)
  /// The request threw an error. If the error is not of the request's type, the request counts as
  /// aborted.
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

  /// Returns the outcome with the types of the request.
  @inlinable
  func result<Request: AsyncRequest>(
    of request: Request.Type
  ) -> Result<Request.Value, RequestFailure<Request.Failure>> {
    guard case .value(let value) = self else { return .failure(failure(of: request)) }
    guard let value = value as? Request.Value else {
      preconditionFailure("A request must have a value of its type.")
    }
    return .success(value)
  }

  /// Returns the reason why the request has no value, with the type of the request's error.
  @usableFromInline
  func failure<Request: AsyncRequest>(of request: Request.Type) -> RequestFailure<Request.Failure> {
    switch self {
    case .value: preconditionFailure("A request with a value must have no failure.")
    case .failed(let error): (error as? Request.Failure).map { .failed($0) } ?? .aborted(reason: nil)
    case .ended(.timedOut): .timedOut
    case .ended(.aborted(let reason)): .aborted(reason: reason)
    case .ended(.unwanted): .unwanted
    case .ended(.notStarted): .notStarted
    case .ended(.otherState): .otherState
    }
  }
}
