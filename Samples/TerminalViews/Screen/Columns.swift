// The width of text on a screen.

extension Character {
  /// The number of columns of the character: 0 for a combining character, 2 for a wide
  /// character.
  ///
  /// Terminals use different numbers of columns for an emoji that consists of several scalars.
  /// For these emoji, this property returns 2. If a terminal uses only one column, an empty
  /// column is visible, but no other character is covered.
  package var columns: Int {
    guard let first = unicodeScalars.first else { return 0 }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .control, .format, .lineSeparator, .paragraphSeparator: return 0
    default: break
    }
    if first.properties.isEmojiPresentation || first.isWide { return 2 }
    return unicodeScalars.contains("\u{FE0F}") ? 2 : 1
  }

  /// A Boolean value that indicates whether every terminal uses one column for the character,
  /// regardless of the previous characters.
  var isPlain: Bool {
    guard unicodeScalars.count == 1, columns == 1, let scalar = unicodeScalars.first else { return false }
    return scalar.properties.generalCategory != .spacingMark && !scalar.isLaterJamo
  }
}

extension Unicode.Scalar {
  /// A Boolean value that indicates whether the scalar is an East Asian character of double
  /// width.
  fileprivate var isWide: Bool {
    switch value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
      0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
      0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x20000...0x3FFFD:
      true
    default: false
    }
  }

  /// A Boolean value that indicates whether the scalar is a part of a Korean syllable that
  /// joins the previous character.
  fileprivate var isLaterJamo: Bool { 0x1160...0x11FF ~= value || 0xD7B0...0xD7FF ~= value }
}

extension StringProtocol {
  /// The number of columns of the text.
  package var columns: Int { reduce(0) { $0 + $1.columns } }

  /// Returns the longest prefix of the text that fits into the given number of columns.
  private func prefix(ofColumns columns: Int) -> SubSequence {
    var room = columns
    return prefix { character in
      room -= character.columns
      return room >= 0
    }
  }

  /// Returns the text, or a prefix of the text followed by "…", so that the result fits into the
  /// given number of columns.
  package func cut(to columns: Int) -> String {
    guard self.columns > columns else { return String(self) }
    return columns > 0 ? prefix(ofColumns: columns - 1) + "…" : ""
  }

  /// Returns the text in lines of a limited number of columns.
  ///
  /// Lines break between words, and inside words that are too long.
  package func wrapped(to columns: Int) -> [String] {
    guard columns > 1 else { return [] }
    var lines: [String] = []
    for word in split(separator: " ") {
      var rest = Substring(word)
      if let line = lines.last, line.columns + 1 + rest.columns <= columns {
        lines[lines.count - 1] = line + " " + rest
        continue
      }
      while rest.columns > columns {
        let piece = rest.prefix(ofColumns: columns)
        lines.append(String(piece))
        rest = rest[piece.endIndex...]
      }
      lines.append(String(rest))
    }
    return lines
  }
}
