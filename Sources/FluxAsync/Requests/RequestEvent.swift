public import FluxCore

/// An action that reports the progress of a request.
///
/// Use the protocol to observe the events of all requests, for example to count pending
/// requests.
///
/// ```swift
/// if let event = action as? any RequestEvent { spinner.count(event.stage) }
/// ```
public protocol RequestEvent: Action {
  /// The identity of the request.
  var id: RequestID { get }
  /// The stage that the request has reached.
  var stage: RequestStage { get }
}

/// A stage of a request.
public enum RequestStage: Hashable, Sendable {
  /// The request was sent.
  case pending
  /// The request has returned a value.
  case fulfilled
  /// The request has ended without a value.
  case rejected

  /// A Boolean value that indicates whether the request has an outcome.
  public var isSettled: Bool { self != .pending }
}

/// An action that reports that a request was sent.
///
/// See ``AsyncRequest/Pending``.
public struct RequestPending<Request: AsyncRequest>: RequestEvent {
  /// The request.
  public let request: Request
  /// The identity of the request.
  public let id: RequestID

  /// Creates the action, for use in tests of reducers.
  @inlinable
  public init(_ request: Request, id: RequestID) {
    self.request = request
    self.id = id
  }

  /// The stage of the request, always `pending`.
  public var stage: RequestStage { .pending }
}

/// An action that reports the value of a request.
///
/// See ``AsyncRequest/Fulfilled``.
public struct RequestFulfilled<Request: AsyncRequest>: RequestEvent {
  /// The request.
  public let request: Request
  /// The identity of the request.
  public let id: RequestID
  /// The value that the request returned.
  public let value: Request.Value

  /// Creates the action, for use in tests of reducers.
  @inlinable
  public init(_ request: Request, id: RequestID, value: Request.Value) {
    self.request = request
    self.id = id
    self.value = value
  }

  /// The stage of the request, always `fulfilled`.
  public var stage: RequestStage { .fulfilled }
}

/// An action that reports that a request has ended without a value.
///
/// See ``AsyncRequest/Rejected``.
public struct RequestRejected<Request: AsyncRequest>: RequestEvent {
  /// The request.
  public let request: Request
  /// The identity of the request.
  public let id: RequestID
  /// The reason why the request has no value.
  public let failure: RequestFailure<Request.Failure>

  /// Creates the action, for use in tests of reducers.
  @inlinable
  public init(_ request: Request, id: RequestID, failure: RequestFailure<Request.Failure>) {
    self.request = request
    self.id = id
    self.failure = failure
  }

  /// The stage of the request, always `rejected`.
  public var stage: RequestStage { .rejected }
}

extension RequestPending: Equatable where Request: Equatable {}
extension RequestFulfilled: Equatable where Request: Equatable, Request.Value: Equatable {}
extension RequestRejected: Equatable where Request: Equatable, Request.Failure: Equatable {}

extension RequestPending: CustomStringConvertible {
  /// A description that contains the request and its identity.
  public var description: String { "\(Request.self).Pending(\(id) \(ValueDescription.text(of: request)))" }
}

extension RequestFulfilled: CustomStringConvertible {
  /// A description that contains the request, its identity, and its value.
  public var description: String {
    "\(Request.self).Fulfilled(\(id) \(ValueDescription.text(of: request)): \(ValueDescription.text(of: value)))"
  }
}

extension RequestRejected: CustomStringConvertible {
  /// A description that contains the request, its identity, and the reason for the failure.
  public var description: String {
    "\(Request.self).Rejected(\(id) \(ValueDescription.text(of: request)): \(failure))"
  }
}
