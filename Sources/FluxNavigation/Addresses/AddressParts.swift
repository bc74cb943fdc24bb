/// The decoded path and query of an address.
struct AddressParts {
  /// The components of the path.
  var components: [String] = []
  /// The query items in their order.
  var items: [(name: String, value: String)] = []

  init() {}

  /// Splits an address, and then decodes its parts.
  ///
  /// An encoded slash is therefore part of a component. A fragment is ignored.
  init(parsing address: Substring, of whole: String) throws(AddressError) {
    let address = address.prefix { $0 != "#" }
    let end = address.firstIndex(of: "?") ?? address.endIndex
    var path = address[..<end]
    if path.first == "/" { path.removeFirst() }
    if path.last == "/" { path.removeLast() }
    if !path.isEmpty {
      for component in path.split(separator: "/", omittingEmptySubsequences: false) {
        components.append(try Self.decode(component, of: whole))
      }
    }
    for item in address[end...].dropFirst().split(separator: "&") {
      let middle = item.firstIndex(of: "=") ?? item.endIndex
      items.append(
        (
          try Self.decode(item[..<middle], of: whole),
          try Self.decode(item[middle...].dropFirst(), of: whole)
        ))
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
