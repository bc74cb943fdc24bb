/// A step from one version of a saved state to the next, on its JSON.
///
/// ```swift
/// Migration(from: 1) { json in
///   json["films"] = json["movies"]
///   json["movies"] = nil
/// }
/// ```
///
/// The steps run one after the other, from the version of the file up to the current one, whatever their
/// order in the list. They see what an old program wrote, so they work on JSON and not on types that have
/// changed since.
public struct Migration: Sendable {
  /// The version that the step takes; it makes the next one.
  public let from: Int
  /// Changes the JSON of a state into that of the next version.
  public let change: @Sendable (_ json: inout JSONValue) throws -> Void

  /// Creates a step from a version to the next.
  ///
  /// - Parameters:
  ///   - from: The version that the step takes.
  ///   - change: Changes the JSON in place. What it throws is reported as
  ///     ``PersistenceError/Code/migrationFailed``.
  public init(from: Int, _ change: @escaping @Sendable (_ json: inout JSONValue) throws -> Void) {
    self.from = from
    self.change = change
  }
}

extension [Migration] {
  /// Runs the steps from one version to another.
  ///
  /// - Parameter file: The name of the file, for the error.
  func run(
    on json: inout JSONValue, from first: Int, to last: Int, file: String
  ) throws(PersistenceError) {
    var version = first
    while version < last {
      let steps = filter { $0.from == version }
      guard let step = steps.first else {
        throw PersistenceError(
          .migrationMissing, file: file,
          reason: "there is no step from version \(version) of \(first) to \(last)")
      }
      guard steps.count == 1 else {
        throw PersistenceError(
          .migrationAmbiguous, file: file, reason: "there are \(steps.count) steps from version \(version)")
      }
      do {
        try step.change(&json)
      } catch {
        throw PersistenceError(
          .migrationFailed, file: file,
          reason: "the step from version \(version) threw \("\(error)".onOneLine)")
      }
      version += 1
    }
  }
}
