import FluxCore

/// Why a request was not answered.
public enum RequestFailure<Failure: Error>: Error, Sendable {
  /// It has thrown, and was not tried again.
  case failed(Failure)
  /// Its last try took longer than its policy allows.
  case timedOut
  /// It was aborted, by whoever holds its task, by ``CancelWork``, by its policy, or with what it belonged to; or the task
  /// that would have asked was cancelled already, and nothing was sent.
  case aborted(reason: String?)
  /// ``AsyncRequest/isWanted(in:)`` said no: nothing was sent.
  case unwanted
  /// It did not begin: a middleware held it, its policy dropped it, or the store has gone.
  case notStarted
  /// It is for another type of state than the store has.
  case otherState
}

extension RequestFailure: Equatable where Failure: Equatable {}
extension RequestFailure: Hashable where Failure: Hashable {}

extension RequestFailure: CustomStringConvertible {
  /// The reason in words.
  public var description: String {
    switch self {
    case .failed(let error): "failed: \(ValueDescription.text(of: error))"
    case .timedOut: "timed out"
    case .aborted(let reason): reason.map { "aborted: \($0)" } ?? "aborted"
    case .unwanted: "unwanted"
    case .notStarted: "not started"
    case .otherState: "the store has another state"
    }
  }
}
