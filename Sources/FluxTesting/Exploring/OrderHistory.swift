/// What has happened in an explored order: the story for people, and the observations of tasks.
struct OrderHistory: Sendable {
  /// A line of the story.
  enum Line: Hashable, Sendable {
    /// The test dispatched an action.
    case sent(String)
    /// An event happened. A deviation is an event that was not first come.
    case happened(PendingEvent, isDeviation: Bool)
    case failed(String)
  }

  private(set) var lines: [Line] = []
  private(set) var failures: [String] = []

  /// For each task that has not ended, a hash of what the task has observed in all its steps.
  private var observed: [String: UInt64] = [:]
  /// The task that performs the present step.
  private var running: String?

  /// The name of the test's own task.
  static let test = "the test"

  // MARK: Steps

  /// Records that a task begins a step, and what the task can observe.
  mutating func stepBegan(of task: String, observing moment: UInt64) {
    running = task
    observed[task] = mix(observed[task, default: 0], moment)
  }

  mutating func stepEnded() {
    running = nil
  }

  /// Records that the present step is the last step of its task.
  mutating func taskEnded() {
    if let running { observed[running] = nil }
  }

  mutating func dispatched(_ action: String, isNested: Bool) {
    if running == Self.test, !isNested { add(.sent(action)) }
  }

  // MARK: Events

  mutating func happened(_ event: PendingEvent, isDeviation: Bool) {
    add(.happened(event, isDeviation: isDeviation))
  }

  mutating func failed(_ message: String) {
    add(.failed(message))
    failures.append(message)
  }

  /// Adds a line, unless the story has ended with a failure.
  private mutating func add(_ line: Line) {
    if failures.isEmpty { lines.append(line) }
  }

  // MARK: Moments

  /// Adds the observations of all tasks to a hash.
  ///
  /// The next steps of a task depend only on its observations, if tasks affect each other only by
  /// the states of stores, by calls, and by the clock.
  func hash(into hasher: inout Hasher) {
    hasher.combine(observed)
  }

  private func mix(_ first: UInt64, _ second: UInt64) -> UInt64 {
    var numbers = SeededNumbers(seed: first ^ (second &* 0x9e37_79b9_7f4a_7c15))
    return numbers.next()
  }

  // MARK: The story

  /// The story of the order, in which steps are mentioned only if they are deviations.
  var story: [String] {
    let events = told
    guard events.count > 2 * Self.shown else { return events }
    let omitted = events.count - 2 * Self.shown
    return events.prefix(Self.shown) + ["\(omitted) more events"] + events.suffix(Self.shown)
  }

  /// The number of events at the beginning and at the end of a long story.
  private static var shown: Int { 20 }

  private var told: [String] {
    lines.compactMap { line in
      switch line {
      case .sent(let action): "\(action) sent"
      case .happened(.step, isDeviation: false), .happened(.rest, isDeviation: false): nil
      case .happened(let event, _): event.text
      case .failed(let message): message
      }
    }
  }
}
