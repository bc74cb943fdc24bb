import Flux

/// A key that a client gives a change, so that a request that is sent again makes no second change.
///
/// A client numbers its changes in ascending order, and sends the next change after it has received
/// the answer to the previous one. The header `Idempotency-Key` of a request contains the key, such
/// as `"f81d4fae/7"`.
package struct ChangeKey: Hashable, Sendable, Codable {
  /// A random name of the client.
  package let client: String
  package let number: Int

  package init(client: String, number: Int) {
    self.client = client
    self.number = number
  }

  /// Parses the value of a header, or returns `nil` if the value is not a key.
  package init?(_ value: String) {
    var value = value[...]
    if value.count > 1, value.first == "\"", value.last == "\"" { value = value.dropFirst().dropLast() }
    let parts = value.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, Self.isName(parts[0]), let number = Int(parts[1]), number > 0 else { return nil }
    self.init(client: String(parts[0]), number: number)
  }

  /// Returns a Boolean value that indicates whether a text can be the name of a client.
  package static func isName(_ text: some StringProtocol) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
  }
}

/// A change with its key, as the log stores it.
package struct KeyedChange: Hashable, Sendable, Codable {
  package let change: Change
  package let key: ChangeKey?

  package init(_ change: Change, key: ChangeKey? = nil) {
    self.change = change
    self.key = key
  }
}

/// The last change of a client that gives its changes keys.
package struct LastChange: FluxState, Hashable, Codable, Identifiable {
  /// The name of the client.
  package let id: String
  package let number: Int
  package let change: Change
  package let answer: Answer
}
