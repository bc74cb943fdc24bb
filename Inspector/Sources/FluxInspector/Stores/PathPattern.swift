/// A search pattern for the paths at which a state was changed: `movies[27].title`, or parts of
/// it.
///
/// A path matches if it contains the components of the pattern, one after another. The last
/// component of the pattern matches a name that begins with it, but does not match a longer
/// number: 2 does not match 27. A change of a whole value matches every path inside the value.
package struct PathPattern: Sendable {
  private let wanted: [String]

  package init(_ text: String) {
    wanted = Self.parts(of: text)
  }

  /// Returns a Boolean value that indicates whether a change at a path matches the pattern.
  package func matches(_ path: String) -> Bool {
    let parts = Self.parts(of: path)
    guard parts.count >= wanted.count else { return wanted.starts(with: parts) }
    return (0...(parts.count - wanted.count)).contains { start in
      wanted.indices.allSatisfy { fits(parts[start + $0], $0) }
    }
  }

  private func fits(_ part: String, _ index: Int) -> Bool {
    let wanted = wanted[index]
    let isWhole = index < self.wanted.count - 1 || wanted.last?.isNumber == true
    return isWhole ? part == wanted : part.hasPrefix(wanted)
  }

  /// Returns the names of a path, and the contents of its brackets, with or without quotation
  /// marks, in lowercase.
  ///
  /// The time is O(n) for any n characters: after the last closing bracket, the method does not
  /// search for another closing bracket.
  private static func parts(of path: String) -> [String] {
    var parts: [String] = []
    var rest = path.lowercased()[...]
    let lastBracket = rest.lastIndex(of: "]") ?? rest.startIndex
    while let first = rest.first {
      if rest.startIndex < lastBracket, let (part, behind) = quoted(rest) ?? bracketed(rest) {
        parts.append(String(part))
        rest = behind
      } else if ".[]".contains(first) {
        rest.removeFirst()
      } else {
        let name = rest.prefix { !".[]".contains($0) }
        parts.append(String(name))
        rest = rest[name.endIndex...]
      }
    }
    return parts
  }

  /// Returns the text between `["` and `"]` at the beginning.
  private static func quoted(_ text: Substring) -> (part: Substring, behind: Substring)? {
    guard text.hasPrefix("[\"") else { return nil }
    let inside = text.dropFirst(2)
    var isEscaped = false
    let end = inside.firstIndex { character in
      if character == "\"", !isEscaped { return true }
      isEscaped = character == "\\" && !isEscaped
      return false
    }
    guard let end, inside[end...].hasPrefix("\"]") else { return nil }
    return (inside[..<end], inside[end...].dropFirst(2))
  }

  /// Returns the text between `[` and `]` at the beginning.
  private static func bracketed(_ text: Substring) -> (part: Substring, behind: Substring)? {
    guard text.first == "[", let end = text.firstIndex(of: "]") else { return nil }
    return (text[..<end].dropFirst(), text[end...].dropFirst())
  }
}
