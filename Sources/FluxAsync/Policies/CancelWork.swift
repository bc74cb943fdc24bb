public import FluxCore

/// Cancels the work with an id, or that of a type of action, when it arrives at the end of the chain.
///
/// ```swift
/// store.dispatch(CancelWork(of: LoadLibrary.self))
/// store.dispatch(CancelWork(of: LoadRow.self, id: 7))
/// store.dispatch(CancelWork(id: "everything on this screen", because: "it was closed"))
/// store.dispatch(CancelWork.all)
/// ```
///
/// All of it: what runs, what waits for its turn or its time, and what these have started. Where there is none, nothing
/// happens.
public struct CancelWork: Action {
  private let id: WorkID?
  private let name: String
  private let reason: String?

  /// Cancels the work whose policy is ``WorkPolicy/shared(by:)`` this id.
  ///
  /// - Parameters:
  ///   - id: The id.
  ///   - reason: Why, for ``RequestFailure/aborted(reason:)``.
  public init(id: some Hashable & Sendable, because reason: String? = nil) {
    self.init(WorkID(shared: id), name: "id: \(id)", reason)
  }

  /// Cancels the work of exactly this type of action whose policy is ``WorkPolicy/keyed(by:)`` this id.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - id: The id.
  ///   - reason: Why, for ``RequestFailure/aborted(reason:)``.
  public init(of type: any Action.Type, id: some Hashable & Sendable, because reason: String? = nil) {
    self.init(WorkID(of: type, key: WorkKey(id)), name: "of: \(type), id: \(id)", reason)
  }

  /// Cancels the work of exactly this type of action, as far as it is neither keyed nor shared.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - reason: Why, for ``RequestFailure/aborted(reason:)``.
  public init(of type: any Action.Type, because reason: String? = nil) {
    self.init(WorkID(of: type, key: nil), name: "of: \(type)", reason)
  }

  /// Cancels all work of the store.
  public static let all = CancelWork(nil, name: "all", nil)

  private init(_ id: WorkID?, name: String, _ reason: String?) {
    self.id = id
    self.name = name
    self.reason = reason
  }

  /// Cancels the work.
  public func _startWork(in context: ActionContext) -> (() -> Void)? {
    context.lanes.cancel(id, because: reason)
    return nil
  }
}

extension CancelWork: CustomStringConvertible {
  /// What is cancelled.
  public var description: String { "CancelWork(\(name))" }
}
