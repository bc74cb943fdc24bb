import TestSupport

/// An operation of a thread on a store in a recorded history.
typealias StoreOperation = RecordedOperation<SequentialStore>

/// A store on a single thread: the specification with which histories are compared.
struct SequentialStore: SequentialModel {
  enum Operation: Hashable, Sendable {
    /// Dispatched the action that appends this number to the log.
    case dispatch(Int)
    /// Read this log, by any function.
    case read([Int])
    /// Replaced the store's reducer by the one with this number.
    case replaceReducer(Int)
  }

  /// The reduced actions in order, each marked with the reducer that reduced it.
  private(set) var log: [Int] = []
  private(set) var reducer = 0

  /// Performs the operation if its recorded result is possible.
  mutating func accepts(_ operation: Operation) -> Bool {
    switch operation {
    case .dispatch(let action): log.append(Self.entry(for: action, reducedBy: reducer))
    case .read(let seen): return seen == log
    case .replaceReducer(let number): reducer = number
    }
    return true
  }

  static func entry(for action: Int, reducedBy reducer: Int) -> Int { reducer * 100 + action }

  static func action(of entry: Int) -> Int { entry % 100 }
}
