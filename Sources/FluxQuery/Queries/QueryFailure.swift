public import FluxAsync
import FluxCore

/// An error that describes why a request of a query or of a mutation has no value.
public struct QueryFailure: Error, Sendable {
  /// The kind of failure.
  public struct Code: Hashable, Sendable {
    private enum Value: Sendable {
      case failed, timedOut, aborted, noCache, otherState
    }

    private let value: Value

    /// The query threw ``QueryFailure/cause`` in the last attempt.
    public static let failed = Code(value: .failed)
    /// The last attempt exceeded the time limit of the policy.
    public static let timedOut = Code(value: .timedOut)
    /// The request was canceled or did not begin, its entry was removed, or the store was
    /// released.
    public static let aborted = Code(value: .aborted)
    /// The store has no plug-in of a ``QuerySlice``.
    public static let noCache = Code(value: .noCache)
    /// The query or the mutation requires a state of a different type than the store's state.
    public static let otherState = Code(value: .otherState)
  }

  /// The kind of failure.
  public let code: Code
  /// The error that the query threw.
  public let cause: (any Error)?

  /// Creates a failure.
  public init(_ code: Code, cause: (any Error)? = nil) {
    self.code = code
    self.cause = cause
  }

  /// Creates a failure from the failure of a request.
  ///
  /// If the query threw the failure of another query, the result is that failure. If the other
  /// query was aborted, the result has the code ``Code/failed``, because this query was not
  /// aborted.
  public init(of failure: RequestFailure<any Error>) {
    switch failure {
    case .failed(let cause as QueryFailure) where cause.code != .aborted: self = cause
    case .failed(let cause): self.init(.failed, cause: cause)
    case .timedOut: self.init(.timedOut)
    case .aborted, .notStarted, .otherState, .unwanted: self.init(.aborted)
    }
  }

  /// Creates a failure from the error of an attempt.
  init(ofAttempt error: any Error) {
    self.init(of: (error as? WorkError)?.code == .timedOut ? .timedOut : .failed(error))
  }
}

extension QueryFailure: Equatable {
  /// Returns a Boolean value that indicates whether two failures have the same code and equal
  /// causes.
  ///
  /// Causes that are not `Equatable` are equal if they have the same type and the same
  /// description.
  public static func == (first: QueryFailure, second: QueryFailure) -> Bool {
    first.code == second.code && areErrorsEqual(first.cause, second.cause)
  }
}

extension QueryFailure: CustomStringConvertible {
  /// A description of the failure.
  public var description: String {
    switch code {
    case .timedOut: "timed out"
    case .aborted: "aborted"
    case .noCache: "the store has no plug-in of a QuerySlice"
    case .otherState: "the store has a state of another type"
    default: cause.map { ValueDescription.text(of: $0) } ?? "failed"
    }
  }
}

extension RequestContext {
  /// Creates the context of an attempt of a query or a mutation.
  ///
  /// - Throws: A failure with the code ``QueryFailure/Code/otherState`` if the state of the store
  ///   is of another type, or another error if the store was released.
  @inlinable
  init(ofQuery task: TaskContext<Void>, _ id: RequestID) throws {
    do {
      try self.init(of: task, id)
    } catch {
      throw QueryFailure.ofMissingState(error, in: task)
    }
  }
}

extension QueryFailure {
  /// Returns the error of a query that cannot begin because no state of its type is available.
  @usableFromInline
  static func ofMissingState(_ error: any Error, in task: TaskContext<Void>) -> any Error {
    // The state is available only if the store was not released.
    (try? task.storeState) == nil ? error : QueryFailure(.otherState)
  }
}
