/// The number of bytes that the strings of one message can still have.
struct TextBudget {
  private(set) var bytes: Int

  /// Creates a budget for the strings of a number of values.
  init(values: Int) {
    bytes = values * 100
  }

  var isSpent: Bool { bytes <= 0 }

  /// Truncates a string, and counts its bytes.
  mutating func take(_ text: String, of length: Int) -> String {
    let shown = text.cut(to: length)
    bytes -= shown.utf8.count
    return shown
  }
}
