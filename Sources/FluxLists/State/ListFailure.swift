public import FluxAsync
import FluxCore

/// An error that describes why a load or an edit failed.
public struct ListFailure: Error, Sendable {
  /// The kind of failure.
  public struct Code: Hashable, Sendable {
    private enum Value: Sendable {
      case failed, timedOut, cancelled, unwanted
    }

    private let value: Value

    /// The repository threw ``ListFailure/cause`` in the last attempt.
    public static let failed = Code(value: .failed)
    /// The last attempt exceeded the time limit of the policy.
    public static let timedOut = Code(value: .timedOut)
    /// The load or edit was canceled, or a newer load replaced the load.
    public static let cancelled = Code(value: .cancelled)
    /// The request was not wanted, because there was nothing to load or to change.
    public static let unwanted = Code(value: .unwanted)
  }

  /// The kind of failure.
  public let code: Code
  /// The error that the repository threw.
  public let cause: (any Error)?

  /// Creates a failure.
  public init(_ code: Code, cause: (any Error)? = nil) {
    self.code = code
    self.cause = cause
  }

  /// Creates a failure from an error that a repository threw.
  public init(_ cause: any Error) {
    if let failure = cause as? ListFailure {
      self = failure
      return
    }
    // A `CancellationError` indicates that the repository's task, or work within the repository,
    // was canceled.
    self.init(cause is CancellationError ? .cancelled : .failed, cause: cause)
  }

  /// Creates a failure from the failure of a request.
  ///
  /// Use this initializer to handle the failures of requests and lists with the same code.
  public init(of failure: RequestFailure<any Error>) {
    switch failure {
    case .failed(let cause): self.init(cause)
    case .timedOut: self.init(.timedOut)
    case .aborted, .notStarted, .otherState: self.init(.cancelled)
    case .unwanted: self.init(.unwanted)
    }
  }

  /// A Boolean value that indicates whether the load or edit was canceled or unwanted.
  var isHarmless: Bool { code == .cancelled || code == .unwanted }
}

extension ListFailure: Equatable {
  /// Returns a Boolean value that indicates whether two failures have the same code and equal
  /// causes.
  ///
  /// Causes that are not `Equatable` are equal if they have the same type and the same
  /// description.
  public static func == (first: ListFailure, second: ListFailure) -> Bool {
    first.code == second.code && areErrorsEqual(first.cause, second.cause)
  }
}

extension ListFailure: CustomStringConvertible {
  /// A description of the failure.
  public var description: String {
    switch code {
    case .timedOut: "timed out"
    case .cancelled: "canceled"
    case .unwanted: "nothing to do"
    default: cause.map { "\($0)" } ?? "failed"
    }
  }
}
