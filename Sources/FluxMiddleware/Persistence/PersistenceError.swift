/// A problem with saving or loading a state.
///
/// The error contains the name of the file and states whether the file was set aside.
///
/// ```swift
/// do { try persistence.flush() } catch where error.code == .unwritable { warn(error.description) }
/// ```
///
/// The error is a structure with a code instead of an enumeration, so that a new code does not
/// break existing programs. The design is borrowed from `ServiceRunnerError` of
/// swift-service-lifecycle.
public struct PersistenceError: Error, Hashable, Sendable {
  /// A code that identifies a problem.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Value: String, Sendable {
      case unreadable, unwritable, corrupt, truncated, undecodable, unencodable
      case notRestored = "not-restored"
      case halfWritten = "half-written"
      case newerVersion = "newer-version"
      case migrationMissing = "migration-missing"
      case migrationAmbiguous = "migration-ambiguous"
      case migrationFailed = "migration-failed"
    }

    private let value: Value

    /// The storage could not read the file.
    public static let unreadable = Code(value: .unreadable)
    /// The storage could not write or rename the file, for example because the disk is full.
    public static let unwritable = Code(value: .unwritable)
    /// The file does not contain a saved state, or its contents were changed after the save.
    public static let corrupt = Code(value: .corrupt)
    /// The file is shorter than it was when it was saved.
    public static let truncated = Code(value: .truncated)
    /// A save was interrupted while it was writing a new file.
    ///
    /// The previously saved state is complete.
    public static let halfWritten = Code(value: .halfWritten)
    /// The file was saved by a newer version of the program.
    public static let newerVersion = Code(value: .newerVersion)
    /// There is no migration for one of the steps from the version of the file to the current
    /// version.
    public static let migrationMissing = Code(value: .migrationMissing)
    /// More than one migration step converts the same version.
    public static let migrationAmbiguous = Code(value: .migrationAmbiguous)
    /// A migration threw an error.
    public static let migrationFailed = Code(value: .migrationFailed)
    /// The file is complete, but the state cannot be decoded from its JSON.
    public static let undecodable = Code(value: .undecodable)
    /// The state cannot be encoded as JSON, for example because it contains an infinite number
    /// or because its `encode` method threw an error.
    public static let unencodable = Code(value: .unencodable)

    /// The program saved a new state before it loaded or restored the existing file.
    ///
    /// A copy of the file was kept.
    public static let notRestored = Code(value: .notRestored)

    /// The text that represents the code in the name of a file that was set aside, such as
    /// `newer-version`.
    public var description: String { value.rawValue }
  }

  /// The result of the attempt to set a file aside.
  enum Fate: Hashable, Sendable {
    /// The file was not changed or renamed.
    case untouched
    case setAside(name: String)
    /// The file still has its name, because it could not be renamed.
    case stuck(reason: String)
  }

  /// The code that identifies the problem.
  public let code: Code
  /// The name of the file in the storage.
  public let file: String
  /// The reason for the problem, on one line.
  ///
  /// The text is the message from the system, the decoder, or the migration, or a description of
  /// the damage to the file.
  public let reason: String
  let fate: Fate

  init(_ code: Code, file: String, reason: String, fate: Fate = .untouched) {
    self.code = code
    self.file = file
    self.reason = reason
    self.fate = fate
  }

  /// The name under which the file or its copy was set aside, or `nil` if the file was not set
  /// aside.
  public var setAsideAs: String? {
    guard case .setAside(let name) = fate else { return nil }
    return name
  }

  /// Returns a copy of the error that also contains the result of the attempt to set the file
  /// aside.
  func with(_ fate: Fate) -> PersistenceError {
    PersistenceError(code, file: file, reason: reason, fate: fate)
  }
}

extension PersistenceError: CustomStringConvertible {
  /// The problem, the name of the file, and the consequence, on one line.
  public var description: String { "\(happening): \(reason). \(consequence)" }

  private var happening: String {
    switch code {
    case .unreadable: "\(file) cannot be read"
    case .unwritable: "\(file) cannot be written"
    case .corrupt: "\(file) is corrupt"
    case .truncated: "\(file) is truncated"
    case .halfWritten: "\(file) is incomplete because a save was interrupted"
    case .newerVersion: "\(file) has a newer version"
    case .migrationMissing: "\(file) has an old version, and a migration is missing"
    case .migrationAmbiguous: "\(file) has an old version, and the migration is ambiguous"
    case .migrationFailed: "\(file) has an old version, and a migration failed"
    case .undecodable: "\(file) cannot be decoded"
    case .notRestored: "\(file) was not restored"
    default: "the state for \(file) cannot be encoded"
    }
  }

  private var consequence: String {
    switch fate {
    case .setAside(let name) where code == .notRestored: "A copy was kept as \(name)."
    case .setAside(let name): "The file was set aside as \(name)."
    case .stuck(let reason):
      """
      The file could not be set aside: \(reason). The file is unchanged, and no state is saved until the \
      file can be set aside.
      """
    case .untouched:
      switch code {
      case .unwritable:
        "The previously saved state is unchanged. The save is retried until the store is released."
      case .unencodable:
        "The previously saved state is unchanged. The save is retried when the state changes."
      default: "The file is unchanged."
      }
    }
  }
}
