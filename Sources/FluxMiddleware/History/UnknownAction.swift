public import FluxCore

/// An action of an imported history whose name the registry does not contain.
///
/// The unknown action has the same position in the history as the original action. The history
/// exports the unknown action again unchanged, but does not reduce it.
public struct UnknownAction: Action, Equatable, CustomStringConvertible {
  /// The name under which the action was exported.
  ///
  /// If the action was not registered when it was exported, the value is the name of its type.
  public let name: String
  /// The encoded action, or `nil` if the action was not registered when it was exported.
  public let payload: JSONValue?
  /// The description of the action in the export.
  let note: String?

  /// Creates an unknown action.
  public init(name: String, payload: JSONValue?, description: String? = nil) {
    self.name = name
    self.payload = payload
    note = description
  }

  /// The description in the export, or the name and the payload if the export contains no
  /// description.
  public var description: String {
    note ?? "\(name)" + (payload.map { "(\($0.text))" } ?? "")
  }
}

extension JSONValue {
  /// The value as one line of JSON, with names in ascending order.
  fileprivate var text: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .decimal(let value): "\(value)"
    case .double(let value): "\(value)"
    case .string(let value): "\"\(value.onOneLine)\""
    case .array(let values): "[" + values.map(\.text).joined(separator: ", ") + "]"
    case .object(let members):
      "{"
        + members.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \($0.value.text)" }
        .joined(separator: ", ") + "}"
    }
  }
}
