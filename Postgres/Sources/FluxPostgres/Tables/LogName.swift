import FluxLog

/// The name of a log, and the names of its tables.
///
/// A name contains only characters that need no quotes in SQL. The names of the tables are quoted
/// nevertheless.
struct LogName: Hashable, Sendable {
  /// The maximum length, because PostgreSQL shortens longer names of tables.
  static let maximum = 40

  let text: String

  init(_ text: String) throws(LogError) {
    let utf8 = text.utf8
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    let isValid = utf8.allSatisfy { letters ~= $0 || digits ~= $0 || $0 == UInt8(ascii: "_") }
    guard isValid, utf8.count <= Self.maximum, let first = utf8.first, letters ~= first else {
      throw LogError(
        .unreadable,
        """
        "\(text)" is not the name of a log. A name has at most \(Self.maximum) characters, begins with \
        a letter from a to z, and contains only these letters, digits, and underscores.
        """)
    }
    self.text = text
  }

  /// The quoted name of the table of the entries.
  var entries: String { "\"flux_log_\(text)\"" }
}
