extension String {
  /// The text on one line, without the characters that a terminal obeys or does not show.
  ///
  /// Each control character, line end and format character, such as those that turn the direction of writing,
  /// becomes U+FFFD. The joiners stay with what is written with them: emoji, and letters that are not ASCII.
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

  /// The text in quotation marks, tame and cut to what is easily read.
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

  /// Whether it is a zero-width joiner or non-joiner.
  fileprivate var isJoiner: Bool { self == "\u{200D}" || self == "\u{200C}" }

  fileprivate var mayBeJoined: Bool { !isASCII && (properties.isEmoji || properties.isAlphabetic) }
}
