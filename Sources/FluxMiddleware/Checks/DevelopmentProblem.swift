public import FluxCore

/// A problem that a development check found.
public struct DevelopmentProblem: Sendable, CustomStringConvertible {
  /// The check that found the problem.
  public let check: DevelopmentChecks
  /// The type of the action for which the problem was found.
  public let actionType: any Action.Type
  /// A description of the problem, and of its solution.
  public let message: String

  init(_ check: DevelopmentChecks, _ actionType: any Action.Type, _ message: String) {
    self.check = check
    self.actionType = actionType
    self.message = message
  }

  /// The message, after a prefix that names its origin.
  public var description: String { "Flux check: \(message)" }
}
