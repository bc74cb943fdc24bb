public import FluxCore

/// Something that a development check has found.
public struct DevelopmentProblem: Sendable, CustomStringConvertible {
  /// What kind of problem it is: one of the checks.
  public let check: DevelopmentChecks
  /// The type of the action at which it was found.
  public let actionType: any Action.Type
  /// What was found, and what to do about it.
  public let message: String

  init(_ check: DevelopmentChecks, _ actionType: any Action.Type, _ message: String) {
    self.check = check
    self.actionType = actionType
    self.message = message
  }

  /// The message, with where it comes from in front.
  public var description: String { "Flux check: \(message)" }
}
