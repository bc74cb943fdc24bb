// How much room text takes on a screen.

extension Character {
  /// How many columns a terminal gives it: 0 for what is only written onto another character, 2 for what is wide.
  ///
  /// Terminals differ where several scalars make one emoji. This says 2 for those: where one gives it less, a gap is
  /// seen, and no other character is covered.
  package var columns: Int {
    guard let first = unicodeScalars.first else { return 0 }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .control, .format, .lineSeparator, .paragraphSeparator: return 0
    default: break
    }
    if first.properties.isEmojiPresentation || first.isWide { return 2 }
    return unicodeScalars.contains("\u{FE0F}") ? 2 : 1
  }

  /// Whether any terminal is sure to give it one column, whatever stands before it.
  var isPlain: Bool {
    guard unicodeScalars.count == 1, columns == 1, let scalar = unicodeScalars.first else { return false }
    return scalar.properties.generalCategory != .spacingMark && !scalar.isLaterJamo
  }
}

extension Unicode.Scalar {
  /// Whether it is one of the characters of East Asia that are as wide as two others.
  fileprivate var isWide: Bool {
    switch value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
      0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
      0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x20000...0x3FFFD:
      true
    default: false
    }
  }

  /// Whether it is a part of a Korean syllable that is written into what stands before it.
  fileprivate var isLaterJamo: Bool { 0x1160...0x11FF ~= value || 0xD7B0...0xD7FF ~= value }
}

extension StringProtocol {
  /// How many columns it takes.
  package var columns: Int { reduce(0) { $0 + $1.columns } }

  /// As much from its beginning as takes at most so many columns.
  private func prefix(ofColumns columns: Int) -> SubSequence {
    var room = columns
    return prefix { character in
      room -= character.columns
      return room >= 0
    }
  }

  /// The text, or its beginning and "…", so that it takes at most so many columns.
  package func cut(to columns: Int) -> String {
    guard self.columns > columns else { return String(self) }
    return columns > 0 ? prefix(ofColumns: columns - 1) + "…" : ""
  }

  /// The text in lines of at most so many columns, broken between words, and within those that are too long.
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
