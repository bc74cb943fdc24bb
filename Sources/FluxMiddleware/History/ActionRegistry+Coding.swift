public import FluxCore
public import Foundation

extension ActionRegistry {
  /// Encodes an action as JSON, in the same form as in an exported history.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - redaction: The rules for secrets, which use the names and paths in the JSON.
  /// - Returns: The JSON, or `nil` if the action's type is not registered.
  /// - Throws: ``HistoryError/Code/unencodable``.
  public func encode(
    _ action: any Action, redacting redaction: Redaction = .none
  ) throws(HistoryError) -> Data? {
    guard let name = name(of: Swift.type(of: action)), let encodable = action as? any Encodable else {
      return nil
    }
    do {
      let data = try JSONEncoder.ofHistory(marksProperties: !redaction.isNone).encode(encodable)
      if redaction.isNone { return data }
      let value = try JSONDecoder().decode(JSONValue.self, from: data)
      return try JSONEncoder.ofHistory().encode(redaction.json(value))
    } catch {
      // The reason might contain a secret value.
      let reason = redaction.isNone ? ": \(error.codingReason)" : ""
      throw HistoryError(.unencodable, "Cannot encode \(name)\(reason).")
    }
  }

  /// Decodes an action whose type is registered under a current or former name.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - data: The action as JSON.
  /// - Throws: ``HistoryError/Code/unknownAction`` or ``HistoryError/Code/undecodableAction``.
  public func decode(_ name: String, from data: Data) throws(HistoryError) -> any Action {
    guard let type = type(named: name) else {
      throw HistoryError(.unknownAction, "No action is registered under the name \"\(name)\".")
    }
    do {
      return try JSONDecoder.ofHistory().decode(type, from: data)
    } catch {
      throw HistoryError(.undecodableAction, "Cannot decode \(name): \(error.codingReason).")
    }
  }
}
