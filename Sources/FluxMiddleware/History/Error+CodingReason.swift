extension Error {
  /// A short description of the problem if the error is an encoding or decoding error, or else
  /// the description of the error.
  var codingReason: String {
    switch self as any Error {
    case DecodingError.keyNotFound(let key, let context):
      "there is no \"\(key.stringValue)\"\(context.place)"
    case DecodingError.typeMismatch(_, let context): "something is of another kind\(context.place)"
    case DecodingError.valueNotFound(_, let context): "there is no value\(context.place)"
    case DecodingError.dataCorrupted(let context): "\(context.debugDescription)\(context.place)"
    case EncodingError.invalidValue(let value, let context):
      "\(value) is not a value for JSON" + context.codingPath.place
    default: "\(self)"
    }
  }
}

extension DecodingError.Context {
  fileprivate var place: String { codingPath.place }
}

extension [any CodingKey] {
  /// The path as names and positions, from the outermost container to the innermost.
  fileprivate var place: String {
    isEmpty
      ? "" : " at " + map { key in key.intValue.map { "[\($0)]" } ?? key.stringValue }.joined(separator: ".")
  }
}
