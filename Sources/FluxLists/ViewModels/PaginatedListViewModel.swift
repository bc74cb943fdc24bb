import FluxAsync

/// The view model of a list that is loaded in pages.
///
/// ```swift
/// let viewModel = PaginatedListViewModel(repository: BooksRepository())
/// try await viewModel.reload()
/// try await viewModel.fetchNext()
///
/// if viewModel.repository.shouldFetch() { showMore() } else { showEnd() }
/// ```
///
/// The repository's pagination strategy tracks the progress of the list, so `shouldFetch()`
/// returns whether another page can be loaded. The name comes from RepositoryList.
@MainActor
open class PaginatedListViewModel<Repository: AnyPaginatedListRepository>: ListViewModel<Repository> {
  /// Loads the next page.
  ///
  /// If the list is being loaded, or if the last page was loaded, this method does nothing.
  ///
  /// - Throws: A ``ListFailure`` if the page was not loaded. ``ListViewModel/error`` also
  ///   contains the failure, unless the load was canceled.
  open func fetchNext() async throws {
    try await model.fetchNext()
  }

  /// Starts loading the next page if an item that is shown is near the end of the list.
  ///
  /// The method does not wait for the load. It is O(log n) for n items, so you can call it for
  /// each item that is shown.
  open func itemAppeared(_ item: ItemType) {
    model.shown(item.id)
  }

  /// Loads the next page from the repository.
  ///
  /// - Returns: The items that were loaded, or the failure. The failure is
  ///   ``ListFailure/Code/unwanted`` if there was nothing to load.
  @discardableResult
  open override func request() async -> Result<[ItemType], ListFailure> {
    await model.load(.next)
  }

  /// The number of loaded pages.
  public var currentPage: Int { model.list.currentPage }

  /// The number of items in all pages, if the server returned it.
  public var total: Int? { model.list.total }
}
