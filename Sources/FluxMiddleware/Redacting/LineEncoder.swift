package import Foundation

/// An encoder that writes each value as one line of JSON without secrets.
///
/// The JSON has the form of an exported history, except for the line breaks.
package struct LineEncoder: Sendable {
  private let redaction: Redaction
  private let encoder: JSONEncoder
  /// The encoder of redacted JSON, whose names have no markers.
  private let finalEncoder: JSONEncoder

  package init(redacting redaction: Redaction) {
    self.redaction = redaction
    finalEncoder = .ofHistory()
    finalEncoder.outputFormatting.remove(.prettyPrinted)
    if redaction.isNone {
      encoder = finalEncoder
    } else {
      encoder = .ofHistory(marksProperties: true)
    }
  }

  package func encode(_ value: some Encodable) throws -> Data {
    let data = try encoder.encode(value)
    if redaction.isNone { return data }
    return try finalEncoder.encode(redaction.json(JSONDecoder().decode(JSONValue.self, from: data)))
  }
}
