/// One operation of a thread on a store: its type, its result, and its time.
struct RecordedOperation: Sendable, CustomStringConvertible {
  enum Kind: Hashable, Sendable {
    /// Dispatched the action that appends this number to the log.
    case dispatch(Int)
    /// Read this log, by any function.
    case read([Int])
    /// Replaced the store's reducer by the one with this number.
    case replaceReducer(Int)
  }

  let thread: Int
  let kind: Kind
  /// The index of its beginning among the beginnings and ends of all operations.
  let invoked: Int
  /// The index of its end.
  let returned: Int

  var description: String { "thread \(thread), \(invoked) to \(returned): \(kind)" }
}
