extension String {
  /// The text on one line, without characters that control a terminal or are invisible.
  ///
  /// Each control character, line end, and format character, such as a character that changes the
  /// writing direction, becomes U+FFFD. Joiners remain inside emoji and non-ASCII letters.
  package var tame: String {
    var tame = UnicodeScalarView()
    for character in self {
      let mayJoin = character.unicodeScalars.first?.mayBeJoined ?? false
      tame.append(
        contentsOf: character.unicodeScalars.map { scalar in
          scalar.isTame || mayJoin && scalar.isJoiner ? scalar : "\u{FFFD}"
        })
    }
    return String(tame)
  }

  /// The text in quotation marks, made safe for a terminal and shortened.
  package var quoted: String {
    let tame = tame
    return tame.count <= 60 ? "\"\(tame)\"" : "\"\(tame.prefix(60))…\""
  }
}

extension Unicode.Scalar {
  fileprivate var isTame: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: false
    default: true
    }
  }

  /// A Boolean value that indicates whether the scalar is a zero-width joiner or non-joiner.
  fileprivate var isJoiner: Bool { self == "\u{200D}" || self == "\u{200C}" }

  fileprivate var mayBeJoined: Bool { !isASCII && (properties.isEmoji || properties.isAlphabetic) }
}
