/// How much of what happens a test has to assert.
///
/// See ``TestStore/exhaustivity``.
public enum Exhaustivity: Sendable, Equatable {
  /// Everything: each action that is received, and all that each action changes.
  case on
  /// What the test chooses; what it leaves out may be shown, as something that is no failure.
  case off(showsSkipped: Bool)

  /// What the test chooses, and nothing is shown of what it leaves out.
  public static let off = Exhaustivity.off(showsSkipped: false)
}
