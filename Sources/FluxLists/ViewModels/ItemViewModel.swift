public import FluxAsync
public import Observation

/// One value for a view: what there is to show, and what the view can ask for.
///
/// ```swift
/// let viewModel = ItemViewModel(repository: ProfileRepository())
/// try await viewModel.reload()
/// ```
///
/// It is a thin face of an ``ItemModel``, which is observed by the `Observation` framework. The name is
/// RepositoryList's.
@MainActor
open class ItemViewModel<Repository: AnyRepository> {
  /// What it is.
  public typealias ItemType = Repository.ItemType

  /// Where the value comes from.
  public nonisolated let repository: Repository
  /// The value, for any thread.
  public nonisolated let model: ItemModel<ItemType>

  /// Creates a value in a small store of its own.
  ///
  /// - Parameters:
  ///   - initialData: What to show before it is loaded.
  ///   - repository: Where it comes from.
  ///   - id: Its name in logs.
  ///   - policy: What becomes of a load that takes long, or fails.
  ///   - clock: What waits are measured on.
  public init(
    initialData: ItemType? = nil, repository: Repository, id: ListID = "Item", policy: WorkPolicy = .latest,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.repository = repository
    model = ItemModel(from: repository, initialData: initialData, id: id, policy: policy, clock: clock)
  }

  /// What has come.
  public var data: ItemType? { model.state.item }
  /// What is known of it.
  public var state: LoadingState { model.state.loadingState }
  /// Whether it is being loaded.
  public var isLoading: Bool { model.state.isLoading }
  /// Why the last load was of no use.
  public var error: ListFailure? { model.state.error }

  /// Erases the value, as if it had never been loaded, and cancels what loads it.
  open func flush() {
    model.flush()
  }

  /// Erases the value, and loads it.
  ///
  /// - Throws: ``ListFailure``: why it was not loaded; it is in ``error``, too, unless the load was
  ///   cancelled.
  open func reload() async throws {
    _ = try await model.reload().get()
  }

  /// Loads the value, and shows the one there is until then, or if it fails.
  ///
  /// - Throws: ``ListFailure``: why it was not loaded; it is in ``error``, too, unless the load was
  ///   cancelled.
  open func refresh() async throws {
    _ = try await request().get()
  }

  /// Asks the repository.
  ///
  /// - Returns: What has come; ``ListFailure/Code/unwanted`` when there was nothing to ask for.
  @discardableResult
  open func request() async -> Result<ItemType?, ListFailure> {
    await model.refresh()
  }

  /// Shows another value.
  open func overrideData(by item: ItemType?) {
    model.override(by: item)
  }
}

extension ItemViewModel: Observable {}
