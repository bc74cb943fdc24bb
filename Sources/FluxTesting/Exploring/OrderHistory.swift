import FluxCore
import FluxMiddleware

/// The name of an action or of a possible event, which is made when it is needed.
final class ActionName: Sendable {
  private let made: Locked<String?>
  private let make: @Sendable () -> String

  init(_ action: any Action, redacting redaction: Redaction) {
    made = Locked(nil)
    make = { action.logText(redacting: redaction) }
  }

  init(_ name: String) {
    made = Locked(name)
    make = { name }
  }

  var text: String {
    if let name = made.withLock({ $0 }) { return name }
    // The description of an action is code of the user, which does not run under a lock.
    let name = make()
    made.withLock { $0 = name }
    return name
  }
}

/// What has happened in an explored order, as a story for people.
struct OrderHistory: Sendable {
  /// A line of the story.
  enum Line: Sendable {
    /// The test dispatched an action.
    case sent(ActionName)
    /// An event happened. A deviation is an event that was not first come.
    case happened(PendingEvent, isDeviation: Bool)
    case failed(String)
  }

  private(set) var lines: [Line] = []
  private(set) var failures: [String] = []

  // MARK: Events

  mutating func sent(_ action: ActionName) { add(.sent(action)) }

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

  /// The events that happened, without the steps of tasks.
  var eventsWithoutSteps: [PendingEvent] {
    lines.compactMap { if case .happened(let event, _) = $0, !event.isStep { event } else { nil } }
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
      case .sent(let action): "\(action.text) sent"
      case .happened(let event, let isDeviation): isDeviation || event.isTold ? event.text : nil
      case .failed(let message): message
      }
    }
  }
}
