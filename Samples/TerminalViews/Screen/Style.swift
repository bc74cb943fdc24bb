/// The style of a character.
package struct Style: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  package static let bold = Style(rawValue: 1)
  package static let dim = Style(rawValue: 2)
  package static let underlined = Style(rawValue: 4)
  /// The style that exchanges the colors of the text and the background.
  package static let reversed = Style(rawValue: 8)
}
