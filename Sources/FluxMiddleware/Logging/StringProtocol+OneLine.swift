extension StringProtocol {
  /// The text on one line, with line breaks and other control characters escaped as in Swift.
  ///
  /// Backslashes and quotation marks are not escaped, so the original text cannot be restored
  /// from the result.
  var onOneLine: String {
    if utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return String(self) }
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
