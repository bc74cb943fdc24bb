/// The importance of a log line, with the names that swift-log uses.
///
/// Levels are ordered: `.debug < .warning`.
public enum LogLevel: Sendable, Hashable, Comparable, CaseIterable, CustomStringConvertible {
  /// Messages that help to follow the program step by step.
  case trace
  /// Messages that help to find a mistake.
  case debug
  /// Messages about normal events.
  case info
  /// Messages that are not problems, but deserve attention.
  case notice
  /// Messages about conditions that are not errors yet, such as a slow reducer.
  case warning
  /// Messages about errors.
  case error
  /// Messages about errors that need immediate attention.
  case critical

  /// The name of the level, which a log line begins with.
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
