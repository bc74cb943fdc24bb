public import FluxCore

/// What a log says of one action: what it was, what it changed, and how long the reducer took.
///
/// ```
/// info #12 ToggleWish(film: 27) marks.wished: + 27 (12 µs)
/// ```
public struct LogEntry: Sendable, CustomStringConvertible {
  /// How much it matters.
  public let level: LogLevel
  /// The version of the state that the action made.
  public let version: UInt64
  /// The action.
  public let action: any Action
  /// How long the reducer took.
  public let duration: Duration
  /// What the action changed.
  public let difference: StateDifference
  private let redaction: Redaction

  /// Creates an entry.
  ///
  /// - Parameters:
  ///   - level: How much it matters.
  ///   - version: The version of the state that the action made.
  ///   - action: The action.
  ///   - duration: How long the reducer took.
  ///   - difference: What the action changed, found with the same redaction.
  ///   - redaction: What of the action is not told in ``description``.
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

  /// The entry as one line, without a line break at its end.
  ///
  /// The action stands there as it describes itself, in at most 400 characters, with line breaks and other
  /// control characters escaped; with something secret in it, as ``Redaction/text(of:)`` tells it. The
  /// duration has three significant digits.
  public var description: String {
    let action = action.logText(redacting: redaction)
    return "\(level) #\(version) \(action) \(difference.logText) (\(duration.shortText))"
  }
}

extension Action {
  /// The action as a log shows it, without what is secret: one line of at most 400 characters.
  package func logText(redacting redaction: Redaction) -> String {
    let text = redaction.text(of: self)
    let shown = text.prefix(400)
    return shown.onOneLine + (shown.endIndex < text.endIndex ? "…" : "")
  }
}

extension StateDifference {
  /// The difference as a log shows it.
  package var logText: String { isEmpty ? "changed nothing" : description }
}
