/// A store on a single thread: the specification with which histories are compared.
struct SequentialStore: Hashable {
  /// The reduced actions in order, each marked with the reducer that reduced it.
  private(set) var log: [Int] = []
  private(set) var reducer = 0

  /// Performs the operation if its recorded result is possible.
  mutating func accepts(_ operation: RecordedOperation.Kind) -> Bool {
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
