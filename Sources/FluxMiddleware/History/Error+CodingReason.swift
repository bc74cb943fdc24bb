extension Error {
  /// A short description of an encoding or decoding error, or the full description of any other
  /// error.
  package var codingReason: String {
    switch self as any Error {
    case DecodingError.keyNotFound(let key, let context):
      "\((context.codingPath + [key]).subject) is missing"
    case DecodingError.typeMismatch(_, let context): "\(context.codingPath.subject) has the wrong type"
    case DecodingError.valueNotFound(_, let context): "\(context.codingPath.subject) has no value"
    case DecodingError.dataCorrupted(let context):
      context.debugDescription.withoutPeriod + context.codingPath.place
    case EncodingError.invalidValue(let value, let context):
      "JSON cannot represent the value \(value)" + context.codingPath.place
    default: "\(self)"
    }
  }
}

extension String {
  /// The text without its final period, because the caller adds a period.
  fileprivate var withoutPeriod: String { hasSuffix(".") ? String(dropLast()) : self }
}

extension [any CodingKey] {
  /// The names and positions in the path as text, beginning with the outermost value.
  fileprivate var text: String {
    reduce(into: "") { text, key in
      if let position = key.intValue {
        text += "[\(position)]"
      } else {
        text += text.isEmpty ? key.stringValue : ".\(key.stringValue)"
      }
    }
  }

  /// A phrase that describes the path and can be the subject of a sentence.
  fileprivate var subject: String { isEmpty ? "the value" : "`\(text)`" }

  /// A phrase that describes the path at the end of a sentence, or an empty string for the
  /// outermost value.
  fileprivate var place: String { isEmpty ? "" : " at `\(text)`" }
}
