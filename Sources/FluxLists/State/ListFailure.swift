public import FluxAsync

/// Why a list or an item was not loaded, or a change of it not kept.
public struct ListFailure: Error, Sendable {
  /// The kinds of reasons.
  public struct Code: Hashable, Sendable {
    private enum Value: Sendable {
      case failed, timedOut, cancelled, unwanted
    }

    private let value: Value

    /// The repository has thrown ``ListFailure/cause``, also in the last try.
    public static let failed = Code(value: .failed)
    /// The last try took longer than the list's policy allows.
    public static let timedOut = Code(value: .timedOut)
    /// It was cancelled, or another load has taken its place.
    public static let cancelled = Code(value: .cancelled)
    /// There was nothing to load, or to change.
    public static let unwanted = Code(value: .unwanted)
  }

  /// What kind of reason it is.
  public let code: Code
  /// What the repository has thrown.
  public let cause: (any Error)?

  /// Creates a failure.
  public init(_ code: Code, cause: (any Error)? = nil) {
    self.code = code
    self.cause = cause
  }

  /// Creates the failure that an error of a repository is.
  public init(_ cause: any Error) {
    if let failure = cause as? ListFailure {
      self = failure
      return
    }
    // A repository that ends by itself like this was told to, by whomever.
    self.init(cause is CancellationError ? .cancelled : .failed, cause: cause)
  }

  /// Creates the failure that a request of a list has ended with, to show it as the list shows its own.
  public init(of failure: RequestFailure<any Error>) {
    switch failure {
    case .failed(let cause): self.init(cause)
    case .timedOut: self.init(.timedOut)
    case .aborted, .notStarted, .otherState: self.init(.cancelled)
    case .unwanted: self.init(.unwanted)
    }
  }

  /// Whether nothing has gone wrong, and only nothing was done.
  var isHarmless: Bool { code == .cancelled || code == .unwanted }
}

extension ListFailure: Equatable {
  /// Whether two failures are of one kind, and have equal causes.
  ///
  /// Causes that cannot be compared count as equal when they are of one type and read the same.
  public static func == (first: ListFailure, second: ListFailure) -> Bool {
    guard first.code == second.code else { return false }
    switch (first.cause, second.cause) {
    case (nil, nil): return true
    case (let first?, let second?):
      if let first = first as? any Equatable { return first.isEqual(to: second) }
      return type(of: first) == type(of: second) && "\(first)" == "\(second)"
    default: return false
    }
  }
}

extension Equatable {
  fileprivate func isEqual(to other: Any) -> Bool { other as? Self == self }
}

extension ListFailure: CustomStringConvertible {
  /// The reason in words.
  public var description: String {
    switch code {
    case .timedOut: "timed out"
    case .cancelled: "cancelled"
    case .unwanted: "nothing to do"
    default: cause.map { "\($0)" } ?? "failed"
    }
  }
}
