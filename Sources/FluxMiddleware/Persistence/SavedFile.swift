import Foundation

/// The contents of a file with a saved state: a header line, followed by the JSON of the state.
///
/// ```
/// {"format":"flux-state","version":2,"length":14,"checksum":"8c2b0e7b5ad2c3f1"}
/// {"count":1234}
/// ```
///
/// The length makes it possible to detect a truncated file, and the checksum makes it possible
/// to detect a changed file. The checksum also covers the version, so that a changed digit does
/// not cause the wrong migrations to run.
struct SavedFile: Equatable, Sendable {
  /// An error that describes why data is not a complete saved state.
  struct Flaw: Error, Equatable {
    let code: PersistenceError.Code
    let reason: String
  }

  private struct Header: Decodable {
    let format: String
    let version: Int
    let length: Int
    let checksum: String
  }

  private static let format = "flux-state"
  /// The first bytes of every saved state.
  private static let lead = "{\"format\":\"\(format)\""
  private static let newline = UInt8(ascii: "\n")

  let version: Int
  /// The JSON of the state.
  let body: Data
  private let hasHeader: Bool

  init(version: Int, body: Data) {
    self.init(version: version, body: body, hasHeader: true)
  }

  private init(version: Int, body: Data, hasHeader: Bool) {
    self.version = version
    self.body = body
    self.hasHeader = hasHeader
  }

  /// Creates a saved file from data with a header, or from plain JSON.
  ///
  /// Plain JSON is a state of version 0.
  init(orPlainJSON bytes: Data) throws(Flaw) {
    do {
      try self.init(bytes)
    } catch {
      guard error.code == .corrupt, (try? JSONDecoder().decode(JSONValue.self, from: bytes)) != nil else {
        throw error
      }
      self.init(version: 0, body: bytes, hasHeader: false)
    }
  }

  /// Creates a saved file from data with a header.
  ///
  /// The initializer takes O(n) time for n bytes.
  init(_ bytes: Data) throws(Flaw) {
    guard let end = bytes.firstIndex(of: Self.newline) else { throw Self.flawWithoutHeader(bytes) }
    let header: Header
    do {
      header = try JSONDecoder().decode(Header.self, from: bytes[..<end])
    } catch {
      throw Flaw(code: .corrupt, reason: "its first line is not the header of a saved state")
    }
    guard header.format == Self.format else {
      throw Flaw(code: .corrupt, reason: "its format is unknown: \(header.format.debugDescription)")
    }
    let body = bytes[bytes.index(after: end)...]
    guard body.count >= header.length else {
      throw Flaw(
        code: .truncated, reason: "it has only \(body.count) of \(header.length) bytes after the first line")
    }
    guard body.count == header.length else {
      throw Flaw(
        code: .corrupt, reason: "it has \(body.count) bytes after the first line instead of \(header.length)")
    }
    guard header.checksum == Self.checksum(of: body, version: header.version) else {
      throw Flaw(code: .corrupt, reason: "its checksum does not match its contents")
    }
    self.init(version: header.version, body: body)
  }

  /// The contents of the file.
  var bytes: Data {
    guard hasHeader else { return body }
    let checksum = Self.checksum(of: body, version: version)
    let fields = "\"version\":\(version),\"length\":\(body.count),\"checksum\":\"\(checksum)\"}\n"
    return Data((Self.lead + "," + fields).utf8) + body
  }

  /// Returns the flaw of a file that contains no line break.
  ///
  /// If the data is empty or is the beginning of a header, the file is truncated.
  private static func flawWithoutHeader(_ bytes: Data) -> Flaw {
    let lead = Data(lead.utf8)
    return bytes.starts(with: lead) || lead.starts(with: bytes)
      ? Flaw(code: .truncated, reason: "it ends within its first line")
      : Flaw(code: .corrupt, reason: "it does not begin with the header of a saved state")
  }

  /// Returns the 64-bit FNV-1a hash of the version and the body, in hexadecimal.
  ///
  /// Each step of the hash is reversible, so every change of a single byte changes the result.
  /// The checksum protects against accidental changes, but not against deliberate changes.
  private static func checksum(of body: Data, version: Int) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    for byte in "\(version)\n".utf8 { add(byte) }
    body.withUnsafeBytes { for byte in $0 { add(byte) } }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
