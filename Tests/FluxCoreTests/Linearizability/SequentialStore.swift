/// What a store is to a single thread: the specification that histories are held against.
struct SequentialStore: Hashable {
  /// What was reduced, in order, each action marked with the reducer that reduced it.
  private(set) var log: [Int] = []
  private(set) var reducer = 0

  /// Does the operation, if it can have answered what it did.
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
