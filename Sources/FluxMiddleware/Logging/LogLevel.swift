/// How much a log line matters, under the names that swift-log gives them.
///
/// Levels are ordered: `.debug < .warning`.
public enum LogLevel: Sendable, Hashable, Comparable, CaseIterable, CustomStringConvertible {
  /// What helps to follow the program step by step.
  case trace
  /// What helps to find a mistake.
  case debug
  /// What happens when all is well.
  case info
  /// What is no problem, and yet worth a look.
  case notice
  /// What is not wrong yet: a reducer that was slow, say.
  case warning
  /// What went wrong.
  case error
  /// What went wrong and needs somebody at once.
  case critical

  /// The level's name, as it stands at the beginning of a line.
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
