extension String {
  /// The text without the characters that a terminal obeys, on one line.
  var tame: String {
    let scalars = unicodeScalars.map { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: "\u{FFFD}" as Unicode.Scalar
      default: scalar
      }
    }
    return String(String.UnicodeScalarView(scalars))
  }

  /// The text in quotation marks, cut to what is easily read.
  var quoted: String {
    tame.count <= 60 ? "\"\(tame)\"" : "\"\(tame.prefix(60))…\""
  }
}
