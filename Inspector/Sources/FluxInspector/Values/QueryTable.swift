/// A section of the table of the entries in the query caches of a state.
struct QueryTable: Encodable, Sendable, Equatable {
  /// An entry of a cache.
  struct Row: Encodable, Sendable, Equatable {
    /// The text of the query.
    let query: String
    /// The path of the entry in the state; `nil` if the path is too long to be sent.
    let path: String?
    /// The path of the cache, if the state has several caches.
    var cache: String?
    /// The name of the type of the query.
    var type: String?
    var status: Status?
    /// A Boolean value that indicates whether the result is out of date.
    var isInvalidated: Bool?
    /// The number of failed attempts of the running request; `nil` if no attempt has failed.
    var failedAttempts: Int?
    /// The number of subscribers, which is known only for the current state.
    var subscribers: Int?
    /// Some of the tags: those of whole types and of lists first.
    var tags: [String]?
    /// The number of all tags.
    var tagCount: Int?
    /// The time of the result in milliseconds since 1970.
    var fulfilledAt: Double?
    /// The number of edits that the server has not confirmed; `nil` if there are none.
    var pendingEdits: Int?
    /// The failure of the last request, or of the previous attempt of the running request.
    var error: String?
    /// A Boolean value that indicates whether the entry is redacted.
    var isRedacted: Bool?
  }

  /// The state of the request of a query.
  enum Status: String, Encodable, Sendable {
    case uninitialized, loading, fetching, success, failed
  }

  /// The number of caches in the state.
  let caches: Int
  /// The number of entries of all caches.
  let count: Int
  /// The position of the first row among all entries.
  let first: Int
  let rows: [Row]
  /// A Boolean value that indicates whether the entries of a cache are redacted.
  let isRedacted: Bool
}
