/// The beginning of absolute addresses: a scheme, a host, and the beginning of a path.
///
/// The case of letters is ignored in the scheme and the host, and significant in the path, as in
/// RFC 3986. A prefix ends at the boundary of a component, because the host of another site can
/// begin with the same letters.
struct AddressPrefix {
  /// The scheme with its colon, in lowercase letters, or an empty array.
  private let scheme: [Unicode.Scalar]
  /// The host with the two slashes before it, in lowercase letters, or an empty array.
  private let host: [Unicode.Scalar]
  /// The path without the slashes at its beginning and at its end.
  private let path: [Unicode.Scalar]
  /// A Boolean value that indicates whether a slash follows the host or the path.
  private let endsWithSlash: Bool

  /// The number of scalars, without the optional slashes.
  var length: Int { scheme.count + host.count + path.count }

  init(_ text: String) {
    var rest = Array(text.unicodeScalars)[...]
    let first = rest.prefix { $0 != ":" && !Self.endsComponent($0) }
    scheme = rest.dropFirst(first.count).first == ":" ? first.map(Self.lowercased) + [":"] : []
    rest = rest.dropFirst(scheme.count)
    let authority = rest.dropFirst(2).prefix { !Self.endsComponent($0) }
    let hasHost = rest.starts(with: "//".unicodeScalars) && !authority.isEmpty
    host = hasHost ? ["/", "/"] + authority.map(Self.lowercased) : []
    rest = rest.dropFirst(host.count)
    rest = rest.drop { $0 == "/" }
    endsWithSlash = text.hasSuffix("/") && (hasHost || !rest.isEmpty)
    while rest.last == "/" { rest.removeLast() }
    path = Array(rest)
  }

  /// Returns an address without the prefix, or `nil` if the address does not begin with the prefix.
  ///
  /// The slashes at the ends of the path of the prefix are optional. Without a host, an address can
  /// have up to three slashes after the scheme, as in `films:///films/7`, which has an empty host.
  func rest(of address: String) -> Substring? {
    var rest = address.unicodeScalars[...]
    for scalar in scheme + host {
      guard let first = rest.popFirst(), Self.lowercased(first) == scalar else { return nil }
    }
    if host.isEmpty {
      rest.removePrefix("/", atMost: scheme.isEmpty ? 1 : 3)
    } else {
      guard Self.isAtBoundary(rest) else { return nil }
    }
    if !path.isEmpty {
      rest.removePrefix("/", atMost: host.isEmpty ? 0 : 1)
      guard rest.starts(with: path), Self.isAtBoundary(rest.dropFirst(path.count)) else { return nil }
      rest = rest.dropFirst(path.count)
    }
    if endsWithSlash, rest.starts(with: "//".unicodeScalars) { rest.removeFirst() }
    return length > 0 ? Substring(rest) : nil
  }

  private static func isAtBoundary(_ rest: Substring.UnicodeScalarView) -> Bool {
    rest.first.map(endsComponent) != false
  }

  private static func endsComponent(_ scalar: Unicode.Scalar) -> Bool {
    "/?#".unicodeScalars.contains(scalar)
  }

  /// Returns the lowercase letter of an ASCII letter, or the scalar itself.
  private static func lowercased(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    "A"..."Z" ~= scalar ? Unicode.Scalar(UInt8(scalar.value) + 32) : scalar
  }
}

extension Substring.UnicodeScalarView {
  /// Removes scalars at the beginning that equal the given scalar.
  fileprivate mutating func removePrefix(_ scalar: Unicode.Scalar, atMost count: Int) {
    for _ in 0..<count where first == scalar { removeFirst() }
  }
}
