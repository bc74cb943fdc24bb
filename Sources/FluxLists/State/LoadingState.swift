/// What is known of a list, or of an item, as a whole.
///
/// ```swift
/// switch list.loadingState {
/// case .initialized: showNothing()
/// case .loading where list.items.isEmpty: showSpinner()
/// case .error: show(list.error)
/// default: show(list.items)
/// }
/// ```
public enum LoadingState: Hashable, Sendable, Codable {
  /// Nothing was loaded yet, or the first load was cancelled.
  case initialized
  /// It is being loaded; there may be older items to show.
  case loading
  /// It was loaded.
  case loaded
  /// The last load has failed; there may be older items to show.
  case error
}

/// What is known of the end of a list that comes in pages.
public enum EndState: Hashable, Sendable, Codable {
  /// There may be more, which nobody has asked for.
  case idle
  /// The next page is being loaded.
  case loading
  /// The next page could not be loaded; it can be asked for again.
  case error
  /// There is no more.
  case reachedEnd
}
