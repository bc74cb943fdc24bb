extension String {
  /// Returns the first characters of the text, with `…` in place of the rest.
  ///
  /// The result has at most four bytes for each permitted character. The result is therefore
  /// shorter if characters consist of many bytes, as in malicious strings.
  func cut(to characters: Int) -> String {
    let (bytes, isTooLarge) = characters.multipliedReportingOverflow(by: 4)
    var end = (isTooLarge ? nil : utf8.index(startIndex, offsetBy: bytes, limitedBy: endIndex)) ?? endIndex
    // Moves back to the beginning of a scalar.
    while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
    let shown = self[..<end].prefix(characters)
    return shown.endIndex < endIndex ? shown + "…" : self
  }
}
