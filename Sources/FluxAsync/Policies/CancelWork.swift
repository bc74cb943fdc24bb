public import FluxCore

/// Cancels the work with an id, or that of a type of action, when it arrives at the end of the chain.
///
/// ```swift
/// store.dispatch(CancelWork(of: LoadLibrary.self))
/// store.dispatch(CancelWork(of: LoadRow.self, id: 7))
/// store.dispatch(CancelWork(id: "everything on this screen"))
/// ```
///
/// All of it: what runs, what waits for its turn or its time, and what these have started. Where there is none, nothing
/// happens.
public struct CancelWork: Action {
  private let id: WorkID
  private let name: String

  /// Cancels the work whose policy is ``WorkPolicy/shared(by:)`` this id.
  public init(id: some Hashable & Sendable) {
    self.id = WorkID(shared: id)
    name = "id: \(id)"
  }

  /// Cancels the work of exactly this type of action whose policy is ``WorkPolicy/keyed(by:)`` this id.
  public init(of type: any Action.Type, id: some Hashable & Sendable) {
    self.id = WorkID(of: type, key: WorkKey(id))
    name = "of: \(type), id: \(id)"
  }

  /// Cancels the work of exactly this type of action, as far as it is neither keyed nor shared.
  public init(of type: any Action.Type) {
    id = WorkID(of: type, key: nil)
    name = "of: \(type)"
  }

  /// Cancels the work.
  public func _startWork(in context: ActionContext) {
    context.lanes.cancel(id)
  }
}

extension CancelWork: CustomStringConvertible {
  /// What is cancelled.
  public var description: String { "CancelWork(\(name))" }
}
