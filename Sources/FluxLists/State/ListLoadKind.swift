/// The kind of a load of a list.
public enum ListLoadKind: Hashable, Sendable {
  /// Erases the list and loads it from its beginning.
  case reload
  /// Loads the list from its beginning, and keeps the current items until the load succeeds.
  case refresh
  /// Loads the next page.
  case next
}

extension ListLoadKind: CustomStringConvertible {
  /// The name of the kind, for logs.
  public var description: String {
    switch self {
    case .reload: "reload"
    case .refresh: "refresh"
    case .next: "fetchNext"
    }
  }
}
