/// A value that determines which events a test must assert.
///
/// See ``TestStore/exhaustivity``.
public enum Exhaustivity: Sendable, Equatable {
  /// The test must assert each received action, and all changes that each action makes.
  case on
  /// The test chooses its assertions.
  ///
  /// Skipped events can be shown, and are not failures.
  case off(showsSkipped: Bool)

  /// The test chooses its assertions, and skipped events are not shown.
  public static let off = Exhaustivity.off(showsSkipped: false)
}
