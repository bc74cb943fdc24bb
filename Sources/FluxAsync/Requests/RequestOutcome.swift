/// The outcome of a request, without the types of its value and its error.
///
/// The types are removed so that the objects that wait for an outcome are not generic. Generic
/// objects look up their types at run time, which takes longer than the operation itself.
@usableFromInline
enum RequestOutcome: Sendable {
  case fulfilled(any Sendable)
  case failed(any Error)
  /// The request has no value, for a reason other than an error that it threw.
  case ended(RequestFailure<Never>)

  /// Returns the outcome with the types of the request.
  @inlinable
  func result<Request: AsyncRequest>(
    of request: Request.Type
  ) -> Result<Request.Value, RequestFailure<Request.Failure>> {
    switch self {
    case .fulfilled(let value):
      guard let value = value as? Request.Value else {
        preconditionFailure("A request must be fulfilled with a value of its type.")
      }
      return .success(value)
    case .failed, .ended: return .failure(failure(of: request))
    }
  }

  /// Returns the reason why the request has no value, with the type of the request's error.
  @inlinable
  func failure<Request: AsyncRequest>(of request: Request.Type) -> RequestFailure<Request.Failure> {
    switch self {
    case .fulfilled: preconditionFailure("A fulfilled request must have no failure.")
    case .failed(let error):
      guard let error = error as? Request.Failure else {
        preconditionFailure("A request must fail with an error of its type.")
      }
      return .failed(error)
    case .ended(.timedOut): return .timedOut
    case .ended(.aborted(let reason)): return .aborted(reason: reason)
    case .ended(.unwanted): return .unwanted
    case .ended(.notStarted): return .notStarted
    case .ended(.otherState): return .otherState
    }
  }
}
