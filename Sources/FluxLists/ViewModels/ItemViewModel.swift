public import FluxAsync
public import Observation

/// A view model for one value that is loaded from a repository.
///
/// ```swift
/// let viewModel = ItemViewModel(repository: ProfileRepository())
/// try await viewModel.reload()
/// ```
///
/// The view model wraps an ``ItemModel``, and the `Observation` framework tracks the properties
/// of the view model. The name of the class comes from RepositoryList.
@MainActor
open class ItemViewModel<Repository: AnyRepository> {
  /// The type of the value.
  public typealias ItemType = Repository.ItemType

  /// The repository that the value is loaded from.
  public nonisolated let repository: Repository
  /// The model of the value.
  ///
  /// You can use the model from any thread.
  public nonisolated let model: ItemModel<ItemType>

  /// Creates a view model of a value, with its own store.
  ///
  /// - Parameters:
  ///   - initialData: The value to show before the first load.
  ///   - repository: The repository that the value is loaded from.
  ///   - id: The name of the value in logs.
  ///   - policy: The policy for loading the value, such as retries or a time limit.
  ///   - clock: The clock that measures the delays and time limits of the policy.
  public init(
    initialData: ItemType? = nil, repository: Repository, id: ListID = "Item", policy: WorkPolicy = .latest,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.repository = repository
    model = ItemModel(from: repository, initialData: initialData, id: id, policy: policy, clock: clock)
  }

  /// The current value, or `nil` if no value is available.
  public var data: ItemType? { model.state.item }
  /// The loading state of the value.
  public var state: LoadingState { model.state.loadingState }
  /// A Boolean value that indicates whether the value is being loaded.
  public var isLoading: Bool { model.state.isLoading }
  /// The error of the last load, or `nil` if the load did not fail.
  public var error: ListFailure? { model.state.error }

  /// Erases the value, and cancels its load.
  open func flush() {
    model.flush()
  }

  /// Erases the value and loads it.
  ///
  /// - Throws: A ``ListFailure`` if the value was not loaded. The property ``error`` also
  ///   contains the failure, unless the load was canceled.
  open func reload() async throws {
    _ = try await model.reload().get()
  }

  /// Loads the value.
  ///
  /// The load replaces the current value only if the load succeeds.
  ///
  /// - Throws: A ``ListFailure`` if the value was not loaded. The property ``error`` also
  ///   contains the failure, unless the load was canceled.
  open func refresh() async throws {
    _ = try await request().get()
  }

  /// Loads the value from the repository.
  ///
  /// - Returns: The value, or the failure. The failure is ``ListFailure/Code/unwanted`` if there
  ///   was nothing to load.
  @discardableResult
  open func request() async -> Result<ItemType?, ListFailure> {
    await model.refresh()
  }

  /// Replaces the value.
  open func overrideData(by item: ItemType?) {
    model.override(by: item)
  }
}

extension ItemViewModel: Observable {}
