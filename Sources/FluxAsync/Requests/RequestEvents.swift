public import FluxCore

/// What happens to requests, for those who want to know of all of them: how many are pending, say.
///
/// ```swift
/// if let event = action as? any RequestEvent { spinner.count(event.stage) }
/// ```
public protocol RequestEvent: Action {
  /// Which request it is.
  var id: RequestID { get }
  /// What has happened to it.
  var stage: RequestStage { get }
}

/// What has happened to a request.
public enum RequestStage: Hashable, Sendable {
  /// It was sent.
  case pending
  /// It was answered.
  case fulfilled
  /// It was not answered.
  case rejected

  /// Whether that is the last of it: it was answered, or was not.
  public var isSettled: Bool { self != .pending }
}

/// A request was sent; see ``AsyncRequest/Pending``.
public struct RequestPending<Request: AsyncRequest>: RequestEvent {
  /// The request.
  public let request: Request
  /// Which request it is.
  public let id: RequestID

  /// Creates the action: for tests of reducers.
  public init(_ request: Request, id: RequestID) {
    self.request = request
    self.id = id
  }

  /// That it was sent.
  public var stage: RequestStage { .pending }
}

/// A request was answered; see ``AsyncRequest/Fulfilled``.
public struct RequestFulfilled<Request: AsyncRequest>: RequestEvent {
  /// The request.
  public let request: Request
  /// Which request it is.
  public let id: RequestID
  /// What it asked for.
  public let value: Request.Value

  /// Creates the action: for tests of reducers.
  public init(_ request: Request, id: RequestID, value: Request.Value) {
    self.request = request
    self.id = id
    self.value = value
  }

  /// That it was answered.
  public var stage: RequestStage { .fulfilled }
}

/// A request was not answered; see ``AsyncRequest/Rejected``.
public struct RequestRejected<Request: AsyncRequest>: RequestEvent {
  /// The request.
  public let request: Request
  /// Which request it is.
  public let id: RequestID
  /// Why it was not.
  public let failure: RequestFailure<Request.Failure>

  /// Creates the action: for tests of reducers.
  public init(_ request: Request, id: RequestID, failure: RequestFailure<Request.Failure>) {
    self.request = request
    self.id = id
    self.failure = failure
  }

  /// That it was not answered.
  public var stage: RequestStage { .rejected }
}

extension RequestPending: Equatable where Request: Equatable {}
extension RequestFulfilled: Equatable where Request: Equatable, Request.Value: Equatable {}
extension RequestRejected: Equatable where Request: Equatable, Request.Failure: Equatable {}

extension RequestPending: CustomStringConvertible {
  /// The request with its id.
  public var description: String { "\(Request.self).Pending(\(id) \(ValueDescription.text(of: request)))" }
}

extension RequestFulfilled: CustomStringConvertible {
  /// The request with its id and its answer.
  public var description: String {
    "\(Request.self).Fulfilled(\(id) \(ValueDescription.text(of: request)): \(ValueDescription.text(of: value)))"
  }
}

extension RequestRejected: CustomStringConvertible {
  /// The request with its id and what went wrong.
  public var description: String {
    "\(Request.self).Rejected(\(id) \(ValueDescription.text(of: request)): \(failure))"
  }
}
