/// A value as a node of a tree, which is shown as a single text or as its parts.
struct StateNode: Encodable, Sendable, Equatable {
  let label: String
  let type: String
  /// The text of the value, if no parts are shown.
  var value: String?
  /// A short text that describes the value, if its parts are shown.
  var summary: String?
  var children: [StateNode]?
  /// A Boolean value that indicates whether the value has more parts than are shown.
  var isCut: Bool?
  /// A Boolean value that indicates whether the value is redacted.
  var isRedacted: Bool?
}
