public import FluxCore

/// An action that identifies the work of a key in an error report.
///
/// If work that ``FluxCore/Plugin/keep(while:priority:work:)-(_,_,(Key,StoreProxy<State>)->Void)``
/// runs throws an error, no action has started the work. The error handler of
/// ``FluxCore/Plugin/asyncWork(clock:policies:chance:onError:)`` and ``WorkFailed`` receive this
/// action instead. The action itself is not dispatched.
public struct KeptWork<Key: Sendable>: Action {
  /// The key for which the work ran.
  public let key: Key

  /// Creates the action.
  public init(key: Key) {
    self.key = key
  }
}
