/// The beginning of absolute addresses: a scheme, a host, and the beginning of a path.
///
/// The case of letters is ignored in the scheme and the host, and significant in the path, as in
/// RFC 3986.
struct AddressPrefix {
  /// The scheme and the host in lowercase letters.
  private let origin: [Unicode.Scalar]
  private let path: [Unicode.Scalar]

  init(_ text: String) {
    let scalars = Array(text.unicodeScalars)
    var end = 0
    if let colon = scalars.firstIndex(where: { ":/?#".unicodeScalars.contains($0) }), scalars[colon] == ":" {
      end = colon + 1
    }
    if scalars[end...].starts(with: "//".unicodeScalars) {
      end = scalars[(end + 2)...].firstIndex(where: Self.endsComponent) ?? scalars.count
    }
    origin = scalars[..<end].map(Self.lowercased)
    path = Array(scalars[end...])
  }

  /// Returns an address without the prefix, or `nil` if the address does not begin with the prefix.
  ///
  /// The prefix must end at a boundary, because the host of another site can begin with the same
  /// letters.
  func rest(of address: String) -> Substring? {
    var rest = address.unicodeScalars[...]
    for scalar in origin {
      guard let first = rest.popFirst(), Self.lowercased(first) == scalar else { return nil }
    }
    guard rest.starts(with: path) else { return nil }
    rest = rest.dropFirst(path.count)
    let endsWithSlash = (path.last ?? origin.last) == "/"
    return endsWithSlash || rest.first.map(Self.endsComponent) != false ? Substring(rest) : nil
  }

  private static func endsComponent(_ scalar: Unicode.Scalar) -> Bool {
    "/?#".unicodeScalars.contains(scalar)
  }

  /// Returns the lowercase letter of an ASCII letter, or the scalar itself.
  private static func lowercased(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    "A"..."Z" ~= scalar ? Unicode.Scalar(UInt8(scalar.value) + 32) : scalar
  }
}
