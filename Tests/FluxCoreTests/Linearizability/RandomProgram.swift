import TestSupport

/// The operations of the threads of a recorded history, made from a seed.
struct RandomProgram: Sendable {
  enum Step: Sendable {
    case dispatch(Int)
    case read
    case readInPlace
    case firstCall
    case replaceReducer(Int)
    indirect case batch([Step])
  }

  /// A step, and the number of times that other threads may run during it.
  struct Timed: Sendable {
    let step: Step
    let yields: Int
  }

  /// The steps of each thread.
  let threads: [[Timed]]
  /// When the log has this length, an observer dispatches the action with this number.
  let reaction: (length: Int, action: Int)

  private static let length = 12

  init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var actions = 0
    func action() -> Int {
      actions += 1
      return actions
    }
    func step(_ random: inout SeededGenerator) -> Step {
      switch Int.random(in: 0..<10, using: &random) {
      case 0...3: .dispatch(action())
      case 4, 5: .read
      case 6: .readInPlace
      case 7: .firstCall
      case 8: .replaceReducer(Int.random(in: 0..<4, using: &random))
      default: .batch([.dispatch(action()), Bool.random(using: &random) ? .read : .dispatch(action())])
      }
    }
    let count = Int.random(in: 2...4, using: &random)
    threads = (0..<count).map { _ in
      (0..<Self.length / count).map { _ in
        Timed(step: step(&random), yields: Int.random(in: 0..<3, using: &random))
      }
    }
    reaction = (Int.random(in: 1...4, using: &random), action())
  }
}
