/// The text of a line that is created piece by piece.
///
/// To append to an array of UTF-8 bytes takes fewer instructions than to append to a `String`,
/// which checks its form with each change.
struct LineBuffer {
  private var bytes: [UInt8] = []

  init() {
    bytes.reserveCapacity(160)
  }

  /// The pieces as one text.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  mutating func append(_ piece: String) {
    bytes.append(contentsOf: piece.utf8)
  }
}
