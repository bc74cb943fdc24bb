/// A value as a part of a tree: one that is told as a whole, or by its parts.
struct StateNode: Encodable, Sendable, Equatable {
  let label: String
  let type: String
  /// What it is, if it has no parts that are told.
  var value: String?
  /// What it is in few words, if it has parts.
  var summary: String?
  var children: [StateNode]?
  /// Whether there are more parts than are told.
  var isCut: Bool?
  /// Whether it is secret.
  var isRedacted: Bool?
}
