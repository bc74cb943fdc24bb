/// The decoded path and query of an address.
struct AddressParts {
  /// The components of the path.
  var components: [String] = []
  /// The query items in their order.
  var items: [(name: String, value: String)] = []

  init() {}

  /// Splits an address, and then decodes its parts.
  ///
  /// An encoded slash is therefore part of a component. A fragment is ignored, and so is a query
  /// item whose encoding is not valid. The separators are compared as Unicode scalars, because a
  /// combining mark after a separator forms one character with it.
  init(parsing address: Substring, of whole: String) throws(AddressError) {
    let address = address.unicodeScalars.prefix { $0 != "#" }
    let end = address.firstIndex(of: "?") ?? address.endIndex
    var path = address[..<end]
    if path.first == "/" { path.removeFirst() }
    if path.last == "/" { path.removeLast() }
    if !path.isEmpty {
      for component in path.split(separator: "/", omittingEmptySubsequences: false) {
        components.append(try Self.decode(Substring(component), of: whole))
      }
    }
    for item in address[end...].dropFirst().split(separator: "&") {
      let middle = item.firstIndex(of: "=") ?? item.endIndex
      guard let name = PercentEncoding.decode(Substring(item[..<middle])),
        let value = PercentEncoding.decode(Substring(item[middle...].dropFirst()))
      else { continue }
      items.append((name, value))
    }
  }

  private static func decode(_ text: Substring, of address: String) throws(AddressError) -> String {
    guard let decoded = PercentEncoding.decode(text) else {
      throw AddressError(.malformed, address, String(text))
    }
    return decoded
  }

  /// Returns the value of the first query item with a name.
  func value(ofItem name: String) -> String? {
    items.first { $0.name == name }?.value
  }

  /// The address with percent-encoding, which begins with a slash.
  var address: String {
    var address = "/" + components.map(PercentEncoding.encode).joined(separator: "/")
    for (index, item) in items.enumerated() {
      address += index == 0 ? "?" : "&"
      address += PercentEncoding.encode(item.name) + "=" + PercentEncoding.encode(item.value)
    }
    return address
  }
}
