import Foundation

/// A list as a server-sent event, whose id is the version.
struct BoardEvent: Sendable {
  let version: Int
  let bytes: [UInt8]

  init(_ list: ItemList) {
    version = list.version
    bytes = Array("id: \(list.version)\ndata: ".utf8) + Answers.json(Answers.List(list)) + Array("\n\n".utf8)
  }

  /// Returns the event that precedes a list for the page of a client.
  ///
  /// The event contains the last change of the client in the list.
  static func made(_ change: LastChange) -> [UInt8] {
    Array("event: made\ndata: ".utf8) + Answers.json(Answers.Made(change)) + Array("\n\n".utf8)
  }

  /// The beginning of a stream: the number of milliseconds to wait before a reconnection.
  static let beginning = Array("retry: 1000\n\n".utf8)
  /// A message without content, which shows whether the client is still connected.
  static let beat = Array(": beat\n\n".utf8)
  /// The message that announces the end of the server.
  static let end = Array("event: end\ndata: {}\n\n".utf8)
}
