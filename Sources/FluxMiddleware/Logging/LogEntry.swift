public import FluxCore

/// A log entry that contains the changes of one action and the duration of its reduction.
///
/// ```
/// info #12 ToggleWish(film: 27) marks.wished: + 27 (12 µs)
/// ```
public struct LogEntry: Sendable, CustomStringConvertible {
  /// The level of the entry.
  public let level: LogLevel
  /// The version of the state that the action produced.
  public let version: UInt64
  /// The action.
  public let action: any Action
  /// The time that the reducer took.
  public let duration: Duration
  /// The changes that the action made.
  public let difference: StateDifference
  private let redaction: Redaction

  /// Creates an entry for an action.
  ///
  /// - Parameters:
  ///   - level: The level of the entry.
  ///   - version: The version of the state that the action produced.
  ///   - action: The action.
  ///   - duration: The time that the reducer took.
  ///   - difference: The changes that the action made. The difference must be created with the
  ///     same redaction as the entry.
  ///   - redaction: The secret parts of the action, which ``description`` does not show.
  public init(
    level: LogLevel, version: UInt64, action: any Action, duration: Duration, difference: StateDifference,
    redacting redaction: Redaction = .none
  ) {
    self.level = level
    self.version = version
    self.action = action
    self.duration = duration
    self.difference = difference
    self.redaction = redaction
  }

  /// The entry as one line of text, without a line break at its end.
  ///
  /// The line contains the description of the action, limited to 400 characters, with line
  /// breaks and other control characters escaped. If the action contains a secret, the line
  /// instead contains the text that ``Redaction/text(of:)`` returns. The duration has three
  /// significant digits.
  public var description: String {
    var line = LineBuffer()
    line.append(level.description)
    line.append(" #")
    line.append(String(version))
    line.append(" ")
    line.append(action.logText(redacting: redaction))
    line.append(" ")
    difference.writeLogText(to: &line)
    line.append(" (")
    line.append(duration.shortText)
    line.append(")")
    return line.text
  }
}

extension Action {
  /// Returns the text of the action for a log, on one line.
  ///
  /// The text contains no secrets, and at most 400 characters of the action's description.
  package func logText(redacting redaction: Redaction) -> String {
    let text = redaction.text(of: self)
    // No string has more characters than UTF-8 bytes.
    if text.utf8.count <= 400 { return text.onOneLine }
    let shown = text.prefix(400)
    return shown.onOneLine + (shown.endIndex < text.endIndex ? "…" : "")
  }
}

extension StateDifference {
  /// The text of the difference for a log.
  package var logText: String {
    var line = LineBuffer()
    writeLogText(to: &line)
    return line.text
  }

  fileprivate func writeLogText(to line: inout LineBuffer) {
    if isEmpty { line.append("changed nothing") } else { write(to: &line) }
  }
}

/// The level of importance of a log line.
///
/// The levels have the same names as in swift-log.
///
/// The levels are ordered by importance, so that `.debug < .warning`.
public enum LogLevel: Sendable, Hashable, Comparable, CaseIterable, CustomStringConvertible {
  /// Messages that help you follow the program step by step.
  case trace
  /// Messages that help you find a mistake.
  case debug
  /// Messages about normal events.
  case info
  /// Messages about normal events that deserve attention.
  case notice
  /// Messages about conditions that are not errors yet, such as a slow reducer.
  case warning
  /// Messages about errors.
  case error
  /// Messages about errors that require immediate attention.
  case critical

  /// The name of the level, as it appears at the beginning of a log line.
  public var description: String {
    switch self {
    case .trace: "trace"
    case .debug: "debug"
    case .info: "info"
    case .notice: "notice"
    case .warning: "warning"
    case .error: "error"
    case .critical: "critical"
    }
  }
}
