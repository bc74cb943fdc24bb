/// The path to a part of a value, in the form that is shown and in the form that a redaction
/// checks.
///
/// The two forms differ if a key or an id reveals a secret: ``shown`` leaves the key out, and
/// ``full`` contains the key, so that a rule about `accounts["Ada"].pin` still applies.
struct PartPath {
  /// The path of a whole value.
  static let whole = PartPath(shown: "", full: "")

  let shown: String
  let full: String

  var isWhole: Bool { full.isEmpty }

  /// Returns the path to a property, an element of a tuple, or a payload.
  func property(_ name: String) -> PartPath {
    let shown = isWhole ? name : "\(shown).\(name)"
    return PartPath(shown: shown, full: isSameInBothForms ? shown : "\(full).\(name)")
  }

  /// Returns the path to an element by its position.
  func element(at position: Int) -> PartPath { subscripted("[\(position)]", full: "[\(position)]") }

  /// Returns the path to an entry or an element by its key or its id.
  func subscripted(_ shown: String, full: String) -> PartPath {
    let shownPath = self.shown + shown
    return PartPath(
      shown: shownPath, full: isSameInBothForms && shown == full ? shownPath : self.full + full)
  }

  private var isSameInBothForms: Bool { shown == full }
}
