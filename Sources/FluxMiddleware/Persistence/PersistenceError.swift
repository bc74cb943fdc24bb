/// What went wrong when a state was saved or loaded, with which file, and what became of the file.
///
/// ```swift
/// do { try persistence.flush() } catch where error.code == .unwritable { warn(error.description) }
/// ```
///
/// A struct with a code rather than an enum, so that a new case breaks nobody; the shape is that of
/// swift-service-lifecycle's `ServiceRunnerError`.
public struct PersistenceError: Error, Hashable, Sendable {
  /// The kinds of things that go wrong.
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
    /// The storage could not write or rename the file: the directory is read-only, the disk is full.
    public static let unwritable = Code(value: .unwritable)
    /// The file is no saved state, or its contents are not those that were saved.
    public static let corrupt = Code(value: .corrupt)
    /// The file is shorter than what was saved.
    public static let truncated = Code(value: .truncated)
    /// A save was interrupted while it wrote aside; the state before it is whole.
    public static let halfWritten = Code(value: .halfWritten)
    /// The file was saved by a newer version of the program.
    public static let newerVersion = Code(value: .newerVersion)
    /// There is no migration from one of the versions on the way.
    public static let migrationMissing = Code(value: .migrationMissing)
    /// There are several migrations from one version.
    public static let migrationAmbiguous = Code(value: .migrationAmbiguous)
    /// A migration threw.
    public static let migrationFailed = Code(value: .migrationFailed)
    /// The file is whole, but its JSON does not make a state.
    public static let undecodable = Code(value: .undecodable)
    /// The state does not make JSON: it has an infinite number, or its `encode` threw.
    public static let unencodable = Code(value: .unencodable)

    /// The program saved a state before it loaded or restored the file; a copy of the file was kept.
    public static let notRestored = Code(value: .notRestored)

    /// The kind in words, as it stands in the name of a file that was set aside: `newer-version`.
    public var description: String { value.rawValue }
  }

  /// What became of a file that could not be used.
  enum Fate: Hashable, Sendable {
    /// It is where it was: nothing was done to it.
    case untouched
    case setAside(name: String)
    /// It is where it was, since it could not be renamed.
    case stuck(reason: String)
  }

  /// What kind of thing went wrong.
  public let code: Code
  /// The name of the file, as the storage knows it.
  public let file: String
  /// What the system, the decoder or a migration said, or what was found in the file; on one line.
  public let reason: String
  let fate: Fate

  init(_ code: Code, file: String, reason: String, fate: Fate = .untouched) {
    self.code = code
    self.file = file
    self.reason = reason
    self.fate = fate
  }

  /// The name that the file, or the copy of it, has now; `nil` if the file was not set aside.
  public var setAsideAs: String? {
    guard case .setAside(let name) = fate else { return nil }
    return name
  }

  /// The same error, once it is known what became of the file.
  func with(_ fate: Fate) -> PersistenceError {
    PersistenceError(code, file: file, reason: reason, fate: fate)
  }
}

extension PersistenceError: CustomStringConvertible {
  /// What happened, with which file, and what was done or is to be done; on one line.
  public var description: String { "\(happening): \(reason). \(consequence)" }

  private var happening: String {
    switch code {
    case .unreadable: "\(file) cannot be read"
    case .unwritable: "\(file) cannot be written"
    case .corrupt: "\(file) is corrupt"
    case .truncated: "\(file) is truncated"
    case .halfWritten: "\(file) is half-written, since a save was interrupted"
    case .newerVersion: "\(file) is of a newer version"
    case .migrationMissing: "\(file) is of an old version, and a migration is missing"
    case .migrationAmbiguous: "\(file) is of an old version, and which migration to run is ambiguous"
    case .migrationFailed: "\(file) is of an old version, and a migration failed"
    case .undecodable: "\(file) cannot be decoded"
    case .notRestored: "\(file) was not restored"
    default: "the state cannot be encoded for \(file)"
    }
  }

  private var consequence: String {
    switch fate {
    case .setAside(let name) where code == .notRestored: "A copy of it was kept as \(name)."
    case .setAside(let name): "It was set aside as \(name)."
    case .stuck(let reason):
      "It could not be set aside: \(reason). It stays as it is, and nothing is saved until it can be."
    case .untouched:
      switch code {
      case .unwritable:
        "What was saved before is untouched; the save is tried again as long as the store lives."
      case .unencodable:
        "What was saved before is untouched; the save is tried again when the state has changed."
      default: "It stays as it is."
      }
    }
  }
}
