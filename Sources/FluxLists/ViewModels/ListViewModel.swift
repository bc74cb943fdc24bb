public import FluxAsync
public import FluxCollections
public import FluxCore
public import Observation

/// The view model of a list.
///
/// ```swift
/// let viewModel = ListViewModel(repository: BooksRepository())
/// try await viewModel.reload()
///
/// switch viewModel.state {
/// case .initialized: showNothing()
/// case .loading where viewModel.data.isEmpty: showSpinner()
/// case .error: showError()
/// default: show(viewModel.data)
/// }
/// ```
///
/// The view model wraps a ``ListModel`` and returns its properties. To observe the list, use the
/// `Observation` framework, ``states``, or ``subscribe(_:)``. Subclasses can override the
/// methods that load the list. The class is isolated to the main actor, so a subclass can store
/// values that are not `Sendable`. On other threads, use ``model``. The name of the class comes
/// from RepositoryList.
@MainActor
open class ListViewModel<Repository: AnyListRepository> {
  /// The type of the items.
  public typealias ItemType = Repository.ItemType

  /// The repository that the list is loaded from.
  public nonisolated let repository: Repository
  /// The model of the list.
  ///
  /// You can use the model from any thread.
  public nonisolated let model: ListModel<ItemType>

  /// Creates a view model of a list, with its own store.
  ///
  /// - Parameters:
  ///   - initialData: The items to show before the first load.
  ///   - repository: The source of the items. The list is loaded in pages if the repository is
  ///     an ``AnyPaginatedListRepository``, and as a whole otherwise.
  ///   - id: The name of the list in logs.
  ///   - options: Options that control how the list is loaded.
  ///   - clock: The clock that measures the lifetime of the list, and the delays and time limits
  ///     of its policy.
  ///   - plugins: Plug-ins of the store, such as logs.
  public init(
    initialData: [ItemType] = [], repository: Repository, id: ListID = "List",
    options: ListOptions<ItemType> = ListOptions(), clock: any Clock<Duration> = ContinuousClock(),
    plugins: [Plugin<ListState<ItemType>>] = []
  ) {
    self.repository = repository
    model = ListModel(
      from: repository, initialData: initialData, id: id, options: options, clock: clock, plugins: plugins)
  }

  /// Creates the view model of a list in the store of an app.
  ///
  /// The view model does not retain the store.
  ///
  /// - Parameters:
  ///   - model: The model of the list, created with ``ListModel/init(_:in:)``.
  ///   - repository: The repository that the list is loaded from.
  public init(_ model: ListModel<ItemType>, repository: Repository) {
    self.repository = repository
    self.model = model
  }

  // MARK: - The list

  /// The ordered items of the list.
  public var data: OrderedState<ItemType> { model.data }
  /// The loading state of the list as a whole.
  public var state: LoadingState { model.state }
  /// The loading state of the next page.
  public var endState: EndState { model.endState }
  /// A Boolean value that indicates whether the list or a page is being loaded.
  public var isLoading: Bool { model.isLoading }
  /// The error of the last load, or `nil` if the load did not fail.
  public var error: ListFailure? { model.error }

  /// A stream of the current list, followed by newer lists.
  public nonisolated var states: StateStream<ListState<ItemType>> { model.states }

  /// Calls a closure on the main actor with the current list and with newer lists.
  ///
  /// - Returns: The token that keeps the subscription active.
  public func subscribe(_ receive: @escaping @MainActor (ListState<ItemType>) -> Void) -> SubscriptionToken {
    model.proxy.subscribe(onMain: receive)
  }

  // MARK: - Loading

  /// Erases the list, and cancels its load.
  open func flush() {
    model.flush()
  }

  /// Erases the list and loads it from its beginning.
  ///
  /// - Throws: A ``ListFailure`` if the list was not loaded. The property ``error`` also
  ///   contains the failure, unless the load was canceled.
  open func reload() async throws {
    try await model.reload()
  }

  /// Loads the list from its beginning.
  ///
  /// The list shows its current items until the load succeeds, and keeps them if the load fails.
  ///
  /// - Throws: A ``ListFailure`` if the list was not loaded. The property ``error`` also
  ///   contains the failure, unless the load was canceled.
  open func refresh() async throws {
    try await model.refresh()
  }

  /// Refreshes the list if the list is not loaded, failed to load, is out of date, or has
  /// expired.
  open func loadIfNeeded() async {
    await model.loadIfNeeded()
  }

  /// Loads the list from the repository, or the next page of a paginated list.
  ///
  /// - Returns: The items that were loaded, or the failure. The failure is
  ///   ``ListFailure/Code/unwanted`` if there was nothing to load.
  @discardableResult
  open func request() async -> Result<[ItemType], ListFailure> {
    await model.load(.refresh)
  }

  /// Marks the content of the list as out of date, so that the next ``loadIfNeeded()``
  /// refreshes it.
  open func invalidate() {
    model.invalidate()
  }

  /// Cancels the load of the list.
  ///
  /// The items of the list do not change.
  open func cancel() {
    model.cancel()
  }

  /// Replaces the items of the list.
  open func overrideData(by items: [ItemType]) {
    model.override(by: items)
  }
}

extension ListViewModel: Observable {}

// Edits that a repository saves.

extension ListViewModel where Repository: AnyEditableListRepository {
  /// Inserts an item immediately, and removes it if the repository throws an error.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - position: The position of the new item. The default is the end of the list.
  /// - Throws: The failure that caused the rollback.
  public func insert(_ item: ItemType, at position: Int? = nil) async throws(ListFailure) {
    try await model.change(.insert(item, at: position)) { [repository] in try await repository.insert($0) }
  }

  /// Changes an item immediately, and restores it if the repository throws an error.
  ///
  /// - Parameters:
  ///   - id: The id of the item. If the list does not contain the id, the list does not change.
  ///   - change: A closure that changes the item. The closure can be called several times, and
  ///     must make the same change each time.
  /// - Throws: The failure that caused the rollback.
  public func update(
    _ id: ItemType.ID, _ change: @escaping @Sendable (inout ItemType) -> Void
  ) async throws(ListFailure) {
    try await model.change(.update(id, change)) { [repository] in try await repository.update($0) }
  }

  /// Deletes an item immediately, and restores it if the repository throws an error.
  ///
  /// - Parameter id: The id of the item. If the list does not contain the id, the list does not
  ///   change.
  /// - Throws: The failure that caused the rollback.
  public func delete(_ id: ItemType.ID) async throws(ListFailure) {
    try await model.change(.delete(id)) { [repository] item in
      try await repository.delete(item)
      return nil
    }
  }
}
