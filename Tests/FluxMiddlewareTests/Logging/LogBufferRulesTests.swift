import FluxMiddleware
import TestSupport
import Testing

@Suite("The rules of a log buffer")
struct LogBufferRulesTests {
  /// The rules of a buffer, with words for the instructions of the writer.
  private final class Rules {
    private var rules: LogBufferStateMachine<Int, String>

    init(capacity: Int) {
      rules = LogBufferStateMachine(capacity: capacity)
    }

    func offered(_ line: Int) -> LogBufferStateMachine<Int, String>.Acceptance { rules.offered(line) }

    func hasToWait(_ waiter: String) -> Bool { rules.hasToWait(waiter) }

    /// Performs the writer's next step and returns its description.
    func step() -> String {
      let (step, satisfied) = rules.writerIsReady()
      let told = satisfied.map { " \($0) goes on" }.joined()
      return switch step {
      case .write(let line): "\(line)" + told
      case .tellDropped(let count): "dropped \(count)" + told
      case .stop: "stop" + told
      }
    }

    /// Performs the writer's steps until it stops.
    func drain() -> [String] {
      var steps: [String] = []
      while steps.last?.hasPrefix("stop") != true { steps.append(step()) }
      return steps
    }
  }

  @Test("the first line starts a writer, and so does the first line after the writer has stopped")
  func writer() {
    let rules = Rules(capacity: 3)
    #expect(rules.offered(1) == .startsWriter)
    #expect(rules.offered(2) == .waits)
    #expect(rules.drain() == ["1", "2", "stop"])
    #expect(rules.offered(3) == .startsWriter)
    #expect(rules.drain() == ["3", "stop"])
  }

  @Test("a line that is being written frees its room for another line")
  func room() {
    let rules = Rules(capacity: 1)
    #expect(rules.offered(1) == .startsWriter)
    #expect(rules.offered(2) == .isDropped)
    #expect(rules.step() == "1")
    #expect(rules.offered(3) == .waits)
    #expect(rules.drain() == ["dropped 1", "3", "stop"])
  }

  @Test("dropped lines are reported at their positions, each gap with its own number")
  func gaps() {
    let rules = Rules(capacity: 2)
    for line in 1...5 { _ = rules.offered(line) }
    #expect(rules.step() == "1")
    for line in 6...7 { _ = rules.offered(line) }
    #expect(rules.step() == "2")
    #expect(rules.offered(8) == .waits)
    #expect(rules.drain() == ["dropped 3", "6", "dropped 1", "8", "stop"])
  }

  @Test("there is nothing to wait for before the first line, and after the last line has been written")
  func noWait() {
    let rules = Rules(capacity: 2)
    #expect(!rules.hasToWait("a"))
    _ = rules.offered(1)
    _ = rules.drain()
    #expect(!rules.hasToWait("a"))
  }

  @Test(
    "a waiting thread continues when the last line at the time of its call is written")
  func wait() {
    let rules = Rules(capacity: 9)
    _ = rules.offered(1)
    _ = rules.offered(2)
    #expect(rules.hasToWait("a"))
    _ = rules.offered(3)
    #expect(rules.hasToWait("b"))
    #expect(rules.drain() == ["1", "2", "3 a goes on", "stop b goes on"])
  }

  @Test("a line that the writer has taken is not yet written")
  func inHand() {
    let rules = Rules(capacity: 1)
    _ = rules.offered(1)
    #expect(rules.step() == "1")
    #expect(rules.hasToWait("a"))
    #expect(rules.step() == "stop a goes on")
  }

  @Test("in any order of events, every lost line is counted", arguments: UInt64(0)..<20)
  func anyOrder(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let capacity = Int.random(in: 1...4, using: &random)
    var rules = LogBufferStateMachine<Int, String>(capacity: capacity)
    var next = 0
    var told: [Int] = []
    var accepted = 0
    func take() {
      switch rules.writerIsReady().step {
      case .write(let line): told.append(line)
      case .tellDropped(let count): told += (0..<count).map { (told.last ?? -1) + 1 + $0 }
      case .stop: break
      }
    }
    for _ in 0..<500 {
      if Bool.random(using: &random) {
        if rules.offered(next) != .isDropped { accepted += 1 }
        next += 1
      } else {
        take()
      }
    }
    while told.count < next { take() }
    #expect(told == Array(0..<next), "seed \(seed), capacity \(capacity)")
    #expect(accepted < next)
  }
}
