public import FluxCore

/// Cancels the work with an id, or that of a type of action, when it arrives at the end of the chain.
///
/// ```swift
/// store.dispatch(CancelWork(of: LoadLibrary.self))
/// store.dispatch(CancelWork(of: LoadRow.self, id: 7))
/// store.dispatch(CancelWork(id: "everything on this screen", because: "it was closed"))
/// store.dispatch(CancelWork.all())
/// ```
///
/// The action cancels work that runs, work that waits for its turn or its time, and everything that such work has started.
/// If there is no such work, nothing happens. What cancelled work was about to dispatch is dropped from the arrival of this
/// action on. The ``AsyncRequest/Rejected`` of a cancelled request is dispatched once this action has been reduced.
public struct CancelWork: Action {
  enum Subject: Sendable {
    case id(WorkID)
    case type(any Action.Type)
    case all
  }

  private let subject: Subject
  private let name: String
  private let reason: String?

  /// Cancels the work whose policy is ``WorkPolicy/shared(by:)`` this id.
  ///
  /// - Parameters:
  ///   - id: The id.
  ///   - reason: Why, for ``RequestFailure/aborted(reason:)``.
  public init(id: some Hashable & Sendable, because reason: String? = nil) {
    self.init(.id(WorkID(shared: id)), name: "id: \(id)", reason)
  }

  /// Cancels the work of exactly this type of action whose policy is ``WorkPolicy/keyed(by:)`` this id.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - id: The id.
  ///   - reason: Why, for ``RequestFailure/aborted(reason:)``.
  public init(of type: any Action.Type, id: some Hashable & Sendable, because reason: String? = nil) {
    self.init(.id(WorkID(of: type, key: WorkKey(id))), name: "of: \(type), id: \(id)", reason)
  }

  /// Cancels the work of exactly this type of action, whatever its id, as far as that is not shared with other types.
  ///
  /// O(n) for n ids of work in the store.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - reason: Why, for ``RequestFailure/aborted(reason:)``.
  public init(of type: any Action.Type, because reason: String? = nil) {
    self.init(.type(type), name: "of: \(type)", reason)
  }

  /// Cancels all work of the store that has a policy: tasks, requests, plans and what these have started.
  ///
  /// Effects of listeners and callbacks are not work of that kind.
  ///
  /// - Parameter reason: Why, for ``RequestFailure/aborted(reason:)``.
  public static func all(because reason: String? = nil) -> CancelWork {
    CancelWork(.all, name: "all", reason)
  }

  private init(_ subject: Subject, name: String, _ reason: String?) {
    self.subject = subject
    self.name = name
    self.reason = reason
  }

  /// Marks the work as cancelled, and returns a closure that carries out the cancellation.
  public func _startWork(in context: ActionContext) -> (() -> Void)? {
    context.lanes.markCancelled(subject, because: reason).carryOut
  }
}

extension CancelWork: CustomStringConvertible {
  /// What is cancelled.
  public var description: String { "CancelWork(\(name))" }
}
