import FlyingFox

/// A check that accepts only requests that name this server as their host, and that do not come
/// from a page of another site.
///
/// If the name of another site resolves to this machine, a browser still sends that name as
/// `Host`. A page of another site sends its own address as `Origin`. A numeric address cannot
/// resolve to another machine, so a server that listens on all addresses accepts each of them.
struct RequestGate: Sendable {
  private let names: Set<String>
  private let acceptsAddresses: Bool

  /// - Parameters:
  ///   - address: The numeric address that the server listens on.
  ///   - names: Other names of the server, such as the name of a proxy in front of it.
  init(address: String, names: [String] = []) {
    self.names = Set((names + [address, "localhost"]).map { $0.lowercased() })
    acceptsAddresses = address == "0.0.0.0"
  }

  /// Checks the host and the origin of a request.
  ///
  /// If the request has an origin, the origin must have the same host and port as the request.
  ///
  /// - Throws: A refusal if the request is for another server, or comes from another site.
  func check(_ request: HTTPRequest) throws(Refusal) {
    guard let host = request.headers[.host]?.lowercased(), accepts(host) else { throw .otherHost }
    guard let origin = request.headers[HTTPHeader("Origin")]?.lowercased() else { return }
    guard ["http://\(host)", "https://\(host)"].contains(origin) else { throw .otherSite }
  }

  private func accepts(_ host: String) -> Bool {
    let parts = host.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    if parts.count == 2, UInt16(parts[1]) == nil { return false }
    let name = String(parts[0])
    return names.contains(name) || acceptsAddresses && Self.isAddress(name)
  }

  private static func isAddress(_ name: String) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
  }
}
