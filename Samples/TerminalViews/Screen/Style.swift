/// How a character is shown, beside what it is.
package struct Style: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  package static let bold = Style(rawValue: 1)
  package static let dim = Style(rawValue: 2)
  package static let underlined = Style(rawValue: 4)
  /// With the colours of the text and of what is behind it exchanged.
  package static let reversed = Style(rawValue: 8)
}
