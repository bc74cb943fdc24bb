/// An error that prevented the export or import of a history.
///
/// The description contains the location of the error and a solution. A failed export or import
/// changes nothing.
public struct HistoryError: Error, Equatable, CustomStringConvertible {
  /// A code that identifies the cause of an error.
  public struct Code: Equatable, Sendable, CustomStringConvertible {
    private enum Kind {
      case notJSON, wrongFormat, newerVersion, invalidEntry, undecodableBase, undecodableState
      case undecodableAction, unknownAction, invalidPosition, invalidID, unencodable
    }

    private let kind: Kind

    /// The data is not JSON.
    public static let notJSON = Code(kind: .notJSON)
    /// The JSON is not an exported history.
    public static let wrongFormat = Code(kind: .wrongFormat)
    /// A later version of this package exported the history.
    public static let newerVersion = Code(kind: .newerVersion)
    /// An entry lacks a required value, or contains an invalid value.
    public static let invalidEntry = Code(kind: .invalidEntry)
    /// The base is not a state of the store's type.
    public static let undecodableBase = Code(kind: .undecodableBase)
    /// The state at the position, or the state of an entry, is not a state of the store's type.
    public static let undecodableState = Code(kind: .undecodableState)
    /// An action is registered, but its payload in the export does not match its type.
    public static let undecodableAction = Code(kind: .undecodableAction)
    /// An action is not registered, and the import does not accept unregistered actions.
    public static let unknownAction = Code(kind: .unknownAction)
    /// The position is negative, or greater than the number of entries.
    public static let invalidPosition = Code(kind: .invalidPosition)
    /// The ids of the entries are not unique, are not in ascending order, or are out of range.
    ///
    /// Valid ids are greater than 0 and less than 2^53.
    public static let invalidID = Code(kind: .invalidID)
    /// A state or an action could not be encoded.
    public static let unencodable = Code(kind: .unencodable)

    /// The name of the code.
    public var description: String { "\(kind)" }
  }

  /// The code that identifies the cause of the error.
  public let code: Code
  /// A description of the error, its location, and a solution.
  public let description: String

  /// Creates an error with a code and a description.
  public init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}
