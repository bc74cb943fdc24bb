import FluxAsync

/// A list for a view that comes in pages.
///
/// ```swift
/// let viewModel = PaginatedListViewModel(repository: BooksRepository())
/// try await viewModel.reload()
/// try await viewModel.fetchNext()
///
/// if viewModel.repository.shouldFetch() { showMore() } else { showEnd() }
/// ```
///
/// The repository's strategy follows the list, so that it says whether there is more. The name is
/// RepositoryList's.
@MainActor
open class PaginatedListViewModel<Repository: AnyPaginatedListRepository>: ListViewModel<Repository> {
  /// Loads the page that is next; does nothing while the list is being loaded, or at its end.
  ///
  /// - Throws: ``ListFailure``: why it was not loaded; it is in ``ListViewModel/error``, too, unless the load
  ///   was cancelled.
  open func fetchNext() async throws {
    try await model.fetchNext()
  }

  /// Loads the next page, without waiting for it, if an item that is shown is near enough to the end.
  ///
  /// O(log n), so it may be called for each item that is shown.
  open func itemAppeared(_ item: ItemType) {
    model.shown(item.id)
  }

  /// Asks the repository for the next page.
  ///
  /// - Returns: What has come; ``ListFailure/Code/unwanted`` when there was nothing to ask for.
  @discardableResult
  open override func request() async -> Result<[ItemType], ListFailure> {
    await model.load(.next)
  }

  /// How many pages are loaded.
  public var currentPage: Int { model.list.currentPage }

  /// How many items there are in all pages, where the server has said so.
  public var total: Int? { model.list.total }
}
