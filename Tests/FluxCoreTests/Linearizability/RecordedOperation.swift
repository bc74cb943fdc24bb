/// One operation of a thread on a store: what it was, what it answered, and when it ran.
struct RecordedOperation: Sendable, CustomStringConvertible {
  enum Kind: Hashable, Sendable {
    /// Dispatched the action that appends this number to the log.
    case dispatch(Int)
    /// Read this log, in whatever way.
    case read([Int])
    /// Gave the store the reducer of this number.
    case replaceReducer(Int)
  }

  let thread: Int
  let kind: Kind
  /// The place of its beginning among the beginnings and ends of all operations.
  let invoked: Int
  /// The place of its end.
  let returned: Int

  var description: String { "thread \(thread), \(invoked) to \(returned): \(kind)" }
}
