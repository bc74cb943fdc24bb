import FluxCore

/// A reason why a request has no value.
public enum RequestFailure<Failure: Error>: Error, Sendable {
  /// The last attempt threw an error, and the policy allowed no further attempt.
  case failed(Failure)
  /// The last attempt exceeded the time limit of the policy.
  case timedOut
  /// The request was aborted.
  ///
  /// ``RequestTask/abort(_:)``, ``CancelWork``, and the policy can abort a request. A request is
  /// also aborted when its dispatch is canceled, when the store is released, or when all tasks
  /// that wait for the request are canceled. If the task that calls `request(_:)` is already
  /// canceled, the request is aborted without being sent.
  case aborted(reason: String?)
  /// ``AsyncRequest/isWanted(in:)`` returned `false`, so `Pending` was not dispatched.
  case unwanted
  /// The request did not begin.
  ///
  /// A middleware did not pass the request on, the policy dropped the request, or the store was
  /// released.
  case notStarted
  /// The request requires a state of a different type than the store's state.
  case otherState
}

extension RequestFailure: Equatable where Failure: Equatable {}
extension RequestFailure: Hashable where Failure: Hashable {}

extension RequestFailure: CustomStringConvertible {
  /// The reason, as text.
  public var description: String {
    switch self {
    case .failed(let error): "failed: \(ValueDescription.text(of: error))"
    case .timedOut: "timed out"
    case .aborted(let reason): reason.map { "aborted: \($0)" } ?? "aborted"
    case .unwanted: "unwanted"
    case .notStarted: "not started"
    case .otherState: "the store has a state of another type"
    }
  }
}
