package import Flux

/// A key that means something while films are found.
package enum Key: Equatable, Sendable {
  case character(Character)
  case backspace
  /// Takes back all of the text: Ctrl-U.
  case clear
  case enter
  /// Leaves: Esc, Ctrl-C, or the end of the input.
  case escape

  /// The keys behind what a terminal has sent in one go; those that mean nothing here, such as arrows, are left out.
  package static func keys(in bytes: [UInt8]) -> [Key] {
    // An Esc that something follows begins the name of another key.
    if bytes.first == 0x1B, bytes.count > 1 { return [] }
    return String(decoding: bytes, as: UTF8.self).compactMap(Key.init)
  }

  private init?(_ character: Character) {
    switch character {
    case "\r", "\n", "\r\n": self = .enter
    case "\u{1B}", "\u{3}", "\u{4}": self = .escape
    case "\u{7F}", "\u{8}": self = .backspace
    case "\u{15}": self = .clear
    default:
      guard character.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
        return nil
      }
      self = .character(character)
    }
  }
}

extension Browser {
  /// Whether the user finds films: keys are to be pressed then, not lines to be typed.
  package var isFinding: Bool { store.state.display.find != nil }

  /// Does what a key says, while the user finds films.
  ///
  /// - Returns: What to wait for.
  @discardableResult
  package func press(_ key: Key) -> DispatchTask {
    let text = store.state.display.find?.text ?? ""
    switch key {
    case .character(let character): return find(text + String(character))
    case .backspace: return find(String(text.dropLast()))
    case .clear: return find("")
    case .enter where text.contains { !$0.isWhitespace }:
      return endFinding(with: visit(.found(words: text, trouble: nil)))
    case .enter, .escape: return endFinding(with: CancelWork(id: Visit.id))
    }
  }

  private func find(_ text: String) -> DispatchTask {
    store.dispatch(FindTyped(text: text))
    return store.dispatchAsync(FindFilms())
  }

  private func endFinding(with next: some Action) -> DispatchTask {
    store.dispatchAsync(FindEnded() + CancelWork(of: FindFilms.self) + next)
  }
}
