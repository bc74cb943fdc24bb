extension StringProtocol {
  /// The text with line breaks and other control characters escaped as in Swift, so that it stays on one line.
  ///
  /// It is for reading, not for reading back: backslashes and quotation marks stay as they are.
  var onOneLine: String {
    var line = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\n": line += "\\n"
      case "\r": line += "\\r"
      case "\t": line += "\\t"
      default:
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator:
          line += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
        default: line.unicodeScalars.append(scalar)
        }
      }
    }
    return line
  }
}
