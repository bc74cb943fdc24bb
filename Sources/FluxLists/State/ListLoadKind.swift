/// What a load of a list is to do.
public enum ListLoadKind: Hashable, Sendable {
  /// Erases the list, and loads it from its beginning.
  case reload
  /// Shows the list until it has been loaded from its beginning, and keeps it if that fails.
  case refresh
  /// Loads the page that is next.
  case next
}

extension ListLoadKind: CustomStringConvertible {
  /// The name of the action, for logs.
  public var description: String {
    switch self {
    case .reload: "reload"
    case .refresh: "refresh"
    case .next: "fetchNext"
    }
  }
}
