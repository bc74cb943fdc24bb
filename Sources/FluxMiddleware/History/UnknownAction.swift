public import FluxCore

/// An action of an imported history that no registry knew.
///
/// It stands where the action stood, is shown, and is exported again as it came; reducing leaves it out.
public struct UnknownAction: Action, Equatable, CustomStringConvertible {
  /// The name that the action was exported under.
  ///
  /// For an action that was not registered then, it is that of its type.
  public let name: String
  /// What the action held; `nil` when it was not registered when it was exported.
  public let payload: JSONValue?
  /// What the export said of it.
  let note: String?

  /// Creates an unknown action.
  public init(name: String, payload: JSONValue?, description: String? = nil) {
    self.name = name
    self.payload = payload
    note = description
  }

  /// What the export said of it, or its name and what it held.
  public var description: String {
    note ?? "\(name)" + (payload.map { "(\($0.text))" } ?? "")
  }
}

extension JSONValue {
  /// The value as JSON on one line, with names in ascending order.
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
