/// The loading state of a list or an item as a whole.
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
  /// Nothing was loaded yet, or the first load was canceled.
  case initialized
  /// The list or item is being loaded. It can have older content.
  case loading
  /// The list or item was loaded.
  case loaded
  /// The last load has failed. The list or item can have older content.
  case error
}

/// The loading state of the end of a list that is loaded in pages.
public enum EndState: Hashable, Sendable, Codable {
  /// There can be another page, and it is not being loaded.
  case idle
  /// The next page is being loaded.
  case loading
  /// The next page could not be loaded. It can be requested again.
  case error
  /// There are no more pages.
  case reachedEnd
}
