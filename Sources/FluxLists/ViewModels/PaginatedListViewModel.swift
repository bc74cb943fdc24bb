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
/// The repository's pagination strategy tracks the progress of the list, so `shouldFetch()` of
/// the repository returns whether another page can be loaded. The name of the class comes from
/// RepositoryList.
@MainActor
open class PaginatedListViewModel<Repository: AnyPaginatedListRepository>: ListViewModel<Repository> {
  /// Loads the next page.
  ///
  /// If the list is being loaded, or if the last page has been loaded, the method has no effect.
  ///
  /// - Throws: A ``ListFailure`` if the page was not loaded. ``ListViewModel/error`` also
  ///   contains the failure, unless the load was canceled.
  open func fetchNext() async throws {
    try await model.fetchNext()
  }

  /// Starts to load the next page if an item that a view shows is near the end of the list.
  ///
  /// The method does not wait for the load. The method is O(log n) for n items, so a view can
  /// call the method for each item that it shows.
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

  /// The number of items in all pages, or `nil` if the server did not return the number.
  public var total: Int? { model.list.total }
}
