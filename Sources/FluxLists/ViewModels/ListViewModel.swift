public import FluxAsync
public import FluxCollections
public import FluxCore
public import Observation

/// A list for a view: what there is to show, and what the view can ask for.
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
/// It is a thin face of a ``ListModel``, whose properties it reads: these are observed by the `Observation`
/// framework, as ``states``, and by ``subscribe(_:)``. What loads the list can be overridden in a subclass.
/// It lives on the main actor, so that a subclass may keep what it wants; ``model`` is for all other threads.
/// The name is RepositoryList's.
@MainActor
open class ListViewModel<Repository: AnyListRepository> {
  /// What the list is of.
  public typealias ItemType = Repository.ItemType

  /// Where the list comes from.
  public nonisolated let repository: Repository
  /// The list, for any thread.
  public nonisolated let model: ListModel<ItemType>

  /// Creates a list in a small store of its own.
  ///
  /// - Parameters:
  ///   - initialData: What to show before it is loaded.
  ///   - repository: Where it comes from: in pages, if it is an ``AnyPaginatedListRepository``, and else all
  ///     at once.
  ///   - id: Its name in logs.
  ///   - options: How it is loaded.
  ///   - clock: What its age and its waits are measured on.
  ///   - plugins: Extensions of the store, such as logs.
  public init(
    initialData: [ItemType] = [], repository: Repository, id: ListID = "List",
    options: ListOptions<ItemType> = ListOptions(), clock: any Clock<Duration> = ContinuousClock(),
    plugins: [Plugin<ListState<ItemType>>] = []
  ) {
    self.repository = repository
    model = ListModel(
      from: repository, initialData: initialData, id: id, options: options, clock: clock, plugins: plugins)
  }

  /// Creates the view model of a list in the store of an app, which it does not keep alive.
  ///
  /// - Parameters:
  ///   - model: The list, as ``ListModel/init(_:in:)`` makes it.
  ///   - repository: Where it comes from.
  public init(_ model: ListModel<ItemType>, repository: Repository) {
    self.repository = repository
    self.model = model
  }

  // MARK: - The list

  /// What has come, in its order.
  public var data: OrderedState<ItemType> { model.data }
  /// What is known of the list as a whole.
  public var state: LoadingState { model.state }
  /// What is known of the end of the list.
  public var endState: EndState { model.endState }
  /// Whether anything is being loaded.
  public var isLoading: Bool { model.isLoading }
  /// Why the last load was of no use.
  public var error: ListFailure? { model.error }

  /// The list now, and newer ones, as an asynchronous sequence.
  public nonisolated var states: StateStream<ListState<ItemType>> { model.states }

  /// Calls a closure on the main actor with the list now, and with newer ones.
  ///
  /// - Returns: The token that keeps the subscription.
  public func subscribe(_ receive: @escaping @MainActor (ListState<ItemType>) -> Void) -> SubscriptionToken {
    model.proxy.subscribe(onMain: receive)
  }

  // MARK: - Loading

  /// Erases the list, as if it had never been loaded, and cancels what loads it.
  open func flush() {
    model.flush()
  }

  /// Erases the list, and loads it from its beginning.
  ///
  /// - Throws: ``ListFailure``: why it was not loaded; it is in ``error``, too, unless the load was
  ///   cancelled.
  open func reload() async throws {
    try await model.reload()
  }

  /// Loads the list from its beginning, and shows what there is until then, or if it fails.
  ///
  /// - Throws: ``ListFailure``: why it was not loaded; it is in ``error``, too, unless the load was
  ///   cancelled.
  open func refresh() async throws {
    try await model.refresh()
  }

  /// Refreshes the list if it was not loaded, has failed, is out of date, or has expired.
  open func loadIfNeeded() async {
    await model.loadIfNeeded()
  }

  /// Asks the repository: for the list, or for the next page of one that comes in pages.
  ///
  /// - Returns: What has come; ``ListFailure/Code/unwanted`` when there was nothing to ask for.
  @discardableResult
  open func request() async -> Result<[ItemType], ListFailure> {
    await model.load(.refresh)
  }

  /// Notes that what was loaded is out of date, for the next ``loadIfNeeded()``.
  open func invalidate() {
    model.invalidate()
  }

  /// Cancels what loads the list, which stays as it is.
  open func cancel() {
    model.cancel()
  }

  /// Shows other items.
  open func overrideData(by items: [ItemType]) {
    model.override(by: items)
  }
}

extension ListViewModel: Observable {}
