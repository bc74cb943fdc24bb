public import FluxCore

/// An action that cancels work by its key, by the type of its action, or by both.
///
/// ```swift
/// store.dispatch(CancelWork(of: LoadLibrary.self))
/// store.dispatch(CancelWork(of: LoadRow.self, id: 7))
/// store.dispatch(CancelWork(id: "everything on this screen", because: "it was closed"))
/// store.dispatch(CancelWork.all())
/// ```
///
/// When the action arrives at the end of the chain, it cancels matching work that is running or
/// waiting to begin, and everything that the matching work has started. If no work matches, the
/// action has no effect. After this action has arrived, actions that the canceled work
/// dispatches are dropped. The ``AsyncRequest/Rejected`` event of a canceled request is
/// dispatched after this action is reduced.
public struct CancelWork: Action {
  private let subject: WorkStateMachine.Subject
  private let name: String
  private let reason: String?

  /// Creates an action that cancels all work that has a shared key.
  ///
  /// ``WorkPolicy/shared(by:)`` sets a key that several types share.
  ///
  /// - Parameters:
  ///   - id: The key.
  ///   - reason: The reason for the cancellation, as contained in
  ///     ``RequestFailure/aborted(reason:)``.
  public init(id: some Hashable & Sendable, because reason: String? = nil) {
    self.init(.id(WorkID(shared: id)), name: "id: \(id)", reason)
  }

  /// Creates an action that cancels the work that has the given key and belongs to actions of
  /// exactly one type.
  ///
  /// ``WorkPolicy/keyed(by:)`` sets a key for work of one type of action.
  ///
  /// - Parameters:
  ///   - type: The type of the action.
  ///   - id: The key.
  ///   - reason: The reason for the cancellation, as contained in
  ///     ``RequestFailure/aborted(reason:)``.
  public init(of type: any Action.Type, id: some Hashable & Sendable, because reason: String? = nil) {
    self.init(.id(WorkID(of: type, key: WorkKey(id))), name: "of: \(type), id: \(id)", reason)
  }

  /// Creates an action that cancels the work of exactly one type of action, except work whose key
  /// is shared with other types.
  ///
  /// The cancellation is O(n), where n is the number of distinct keys that the store's work has.
  ///
  /// - Parameters:
  ///   - type: The type of the action.
  ///   - reason: The reason for the cancellation, as contained in
  ///     ``RequestFailure/aborted(reason:)``.
  public init(of type: any Action.Type, because reason: String? = nil) {
    self.init(.type(type), name: "of: \(type)", reason)
  }

  /// Returns an action that cancels all work of the store that has a policy: tasks, requests,
  /// plans, and everything that they have started.
  ///
  /// The action does not cancel callbacks or the effects of listeners.
  ///
  /// - Parameter reason: The reason for the cancellation, as contained in
  ///   ``RequestFailure/aborted(reason:)``.
  public static func all(because reason: String? = nil) -> CancelWork {
    CancelWork(.all, name: "all", reason)
  }

  private init(_ subject: WorkStateMachine.Subject, name: String, _ reason: String?) {
    self.subject = subject
    self.name = name
    self.reason = reason
  }

  /// Marks the work as canceled, and returns a closure that performs the cancellation.
  public func _startWork(in context: ActionContext) -> WorkStart? {
    let errands = context.scope.markCancelled(subject, because: reason)
    return { _ in errands.perform() }
  }
}

extension CancelWork: CustomStringConvertible {
  /// A description that identifies the work that the action cancels.
  public var description: String { "CancelWork(\(name))" }
}
