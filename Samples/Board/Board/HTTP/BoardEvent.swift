import Foundation

/// A list as a server-sent event, whose id is the version.
struct BoardEvent: Sendable {
  let version: Int
  let bytes: [UInt8]

  init(_ list: ItemList) {
    version = list.version
    bytes = Array("id: \(list.version)\ndata: ".utf8) + Answers.json(Answers.List(list)) + Array("\n\n".utf8)
  }

  /// What begins a stream: how many milliseconds to wait before connecting again.
  static let beginning = Array("retry: 1000\n\n".utf8)
  /// What is sent when there is nothing to tell, to see whether anybody is there.
  static let beat = Array(": beat\n\n".utf8)
  /// Says that the server ends.
  static let end = Array("event: end\ndata: {}\n\n".utf8)
}
