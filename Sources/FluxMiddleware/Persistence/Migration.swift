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
///
/// Version 0 is JSON that another library or another program saved. With a step from version 0, a
/// ``Persistence`` also loads files that contain nothing but JSON.
public struct Migration: Sendable {
  /// The version that the step takes; it makes the next one.
  public let from: Int
  /// The name of the file that another program saved; `nil` if the step is for the persistence's own files.
  public let file: String?
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
    file = nil
    self.change = change
  }

  /// Creates a step from JSON that another library or another program saved to version 1.
  ///
  /// ```swift
  /// Migration(fromFile: "state") { json in json["films"] = json["movies"] }
  /// ```
  ///
  /// A ``Persistence`` loads the file if neither of its own generations can be loaded. It never changes,
  /// renames, or removes the file: the first save makes the persistence's own file, which is loaded from then
  /// on.
  ///
  /// - Parameters:
  ///   - file: The name of the file in the storage of the persistence.
  ///   - change: Changes the JSON in place. An error that it throws is reported as
  ///     ``PersistenceError/Code/migrationFailed``.
  public init(
    fromFile file: String, _ change: @escaping @Sendable (_ json: inout JSONValue) throws -> Void = { _ in }
  ) {
    from = 0
    self.file = file
    self.change = change
  }
}

/// How files that another program saved are read: as JSON without a header.
struct LegacyFile: Sendable {
  /// The name of such a file, if it is not one of the persistence's own names.
  let file: String?
}

extension [Migration] {
  /// How files without a header are read; `nil` if no step takes them.
  var legacy: LegacyFile? {
    first { $0.from == 0 }.map { LegacyFile(file: $0.file) }
  }

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
