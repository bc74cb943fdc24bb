/// A step that changes the JSON of a saved state from one version to the next version.
///
/// ```swift
/// Migration(from: 1) { json in
///   json["films"] = json["movies"]
///   json["movies"] = nil
/// }
/// ```
///
/// The steps run in the order of their versions, from the version of the file to the current
/// version. The order of the steps in the array does not matter. The steps change JSON instead
/// of Swift values, because the types of an older version of the program might have changed or
/// might no longer exist.
///
/// Version 0 is JSON that another library or another program saved. If there is a step from
/// version 0, a ``Persistence`` object also loads files that contain plain JSON.
public struct Migration: Sendable {
  /// The version that the step converts to the next version.
  public let from: Int
  /// The name of a file that another program saved, or `nil` if the step is for files with names
  /// that the `Persistence` object uses.
  public let file: String?
  /// A closure that converts the JSON of a state into the JSON of the next version.
  public let change: @Sendable (_ json: inout JSONValue) throws -> Void

  /// Creates a step from one version to the next version.
  ///
  /// - Parameters:
  ///   - from: The version that the step converts to the next version.
  ///   - change: A closure that changes the JSON in place. If the closure throws an error, the
  ///     `Persistence` object reports it as ``PersistenceError/Code/migrationFailed``.
  public init(from: Int, _ change: @escaping @Sendable (_ json: inout JSONValue) throws -> Void) {
    self.from = from
    file = nil
    self.change = change
  }

  /// Creates a migration step that converts JSON saved by another library or program to version 1.
  ///
  /// ```swift
  /// Migration(fromFile: "state") { json in json["films"] = json["movies"] }
  /// ```
  ///
  /// A ``Persistence`` object loads the file if neither its current file nor its previous file
  /// can be loaded. The `Persistence` object never changes, renames, or removes the file that the
  /// other program saved. The first save creates a new file, whose name is based on the name of
  /// the `Persistence` object. After that, the `Persistence` object loads the new file instead.
  ///
  /// - Parameters:
  ///   - file: The name of the file in the storage of the `Persistence` object.
  ///   - change: A closure that changes the JSON in place. If the closure throws an error, the
  ///     `Persistence` object reports it as ``PersistenceError/Code/migrationFailed``.
  public init(
    fromFile file: String, _ change: @escaping @Sendable (_ json: inout JSONValue) throws -> Void = { _ in }
  ) {
    from = 0
    self.file = file
    self.change = change
  }
}

/// The rule for reading files without a header, which contain plain JSON from another program.
struct LegacyFile: Sendable {
  /// The name of a file from another program, or `nil` if the file has a name that the
  /// `Persistence` object uses.
  let file: String?
}

extension [Migration] {
  /// The rule for reading files without a header, or `nil` if there is no step from version 0.
  var legacy: LegacyFile? {
    first { $0.from == 0 }.map { LegacyFile(file: $0.file) }
  }

  /// Runs the steps from one version to another version.
  ///
  /// - Parameter file: The name of the file, which the method includes in each error that it
  ///   throws.
  func run(
    on json: inout JSONValue, from first: Int, to last: Int, file: String
  ) throws(PersistenceError) {
    var version = first
    while version < last {
      let steps = filter { $0.from == version }
      guard let step = steps.first else {
        throw PersistenceError(
          .migrationMissing, file: file,
          reason: "the migration from version \(first) to \(last) has no step from version \(version)")
      }
      guard steps.count == 1 else {
        throw PersistenceError(
          .migrationAmbiguous, file: file, reason: "\(steps.count) steps start at version \(version)")
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
