extension String {
  /// The first so many characters, with `…` for the rest.
  ///
  /// Fewer in a text whose characters are many bytes each, as hostile ones are: no more than four bytes for each.
  func cut(to characters: Int) -> String {
    let (bytes, isTooLarge) = characters.multipliedReportingOverflow(by: 4)
    var end = (isTooLarge ? nil : utf8.index(startIndex, offsetBy: bytes, limitedBy: endIndex)) ?? endIndex
    // Back to where a scalar begins.
    while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
    let shown = self[..<end].prefix(characters)
    return shown.endIndex < endIndex ? shown + "…" : self
  }
}
