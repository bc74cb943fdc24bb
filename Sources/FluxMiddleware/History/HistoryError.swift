/// Why a history could not be exported or imported.
///
/// It says where, and what to do. Nothing has been changed.
public struct HistoryError: Error, Equatable, CustomStringConvertible {
  /// What kind of trouble there was.
  public struct Code: Equatable, Sendable, CustomStringConvertible {
    private enum Kind {
      case notJSON, wrongFormat, newerVersion, invalidEntry, undecodableBase, undecodableState
      case undecodableAction, unknownAction, invalidPosition, invalidID, unencodable
    }

    private let kind: Kind

    /// The data is no JSON.
    public static let notJSON = Code(kind: .notJSON)
    /// The JSON is not an exported history.
    public static let wrongFormat = Code(kind: .wrongFormat)
    /// The history was exported by a later version of this package.
    public static let newerVersion = Code(kind: .newerVersion)
    /// An entry lacks something, or has it in another form.
    public static let invalidEntry = Code(kind: .invalidEntry)
    /// The base is not a state of the store's kind.
    public static let undecodableBase = Code(kind: .undecodableBase)
    /// The state at the position, or that of an entry, is not a state of the store's kind.
    public static let undecodableState = Code(kind: .undecodableState)
    /// An action is registered, but what the export says of it is not such an action.
    public static let undecodableAction = Code(kind: .undecodableAction)
    /// An action is not registered, and the import was to refuse those.
    public static let unknownAction = Code(kind: .unknownAction)
    /// The position is beyond the entries.
    public static let invalidPosition = Code(kind: .invalidPosition)
    /// Entries do not have ids in ascending order, each its own.
    public static let invalidID = Code(kind: .invalidID)
    /// A state or an action could not be encoded.
    public static let unencodable = Code(kind: .unencodable)

    /// The code's name.
    public var description: String { "\(kind)" }
  }

  /// What kind of trouble there was.
  public let code: Code
  /// What happened, where, and what to do.
  public let description: String

  /// Creates an error.
  public init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}
