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

  /// Creates an entry.
  public init(
    level: LogLevel, version: UInt64, action: any Action, duration: Duration, difference: StateDifference
  ) {
    self.level = level
    self.version = version
    self.action = action
    self.duration = duration
    self.difference = difference
  }

  /// The entry as one line, without a line break at its end.
  ///
  /// The action stands there as it describes itself, in at most 400 characters, with line breaks and other
  /// control characters escaped. The duration has three significant digits.
  public var description: String {
    "\(level) #\(version) \(action.logText) \(difference.logText) (\(duration.shortText))"
  }
}

extension Action {
  /// The action as a log shows it: on one line, and not much longer than one can be read.
  package var logText: String {
    let text = String(describing: self)
    let shown = text.prefix(400)
    return shown.onOneLine + (shown.endIndex < text.endIndex ? "…" : "")
  }
}

extension StateDifference {
  /// The difference as a log shows it.
  package var logText: String { isEmpty ? "changed nothing" : description }
}
