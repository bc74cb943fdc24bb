public import FluxAsync
public import FluxCore
public import Observation

/// A model that loads a value from a repository, in its own store or in the store of an app.
///
/// An `ItemModel` is the counterpart of ``ListModel`` for one value. You can use the model from
/// any thread, and observe the model with ``states`` or with the `Observation` framework.
public final class ItemModel<Item: Sendable>: Sendable {
  private let source: ItemSource<Item>
  /// A proxy for the value in its store.
  public let proxy: StoreProxy<ItemState<Item>>
  private let store: Store<ItemState<Item>>?
  private let registrar = ObservationRegistrar()
  private let subscriptions = ModelSubscriptions()

  private init(
    _ source: ItemSource<Item>, _ proxy: StoreProxy<ItemState<Item>>, keeping store: Store<ItemState<Item>>?
  ) {
    self.source = source
    self.proxy = proxy
    self.store = store
    proxy.subscribe(owner: self, to: { ItemVersion(of: $0) }, initial: false) { model, _ in model.tell() }
  }

  /// Creates a model of a value, with its own store.
  ///
  /// - Parameters:
  ///   - repository: The repository that the value is loaded from.
  ///   - initialData: The value to show before the first load.
  ///   - id: The name of the value in logs.
  ///   - policy: The policy for loading the value, such as retries or a time limit.
  ///   - clock: The clock that measures the delays and time limits of the policy.
  ///   - plugins: Plug-ins of the store, such as logs.
  public convenience init(
    from repository: some AnyRepository<Item>, initialData: Item? = nil, id: ListID = "Item",
    policy: WorkPolicy = .latest, clock: any Clock<Duration> = ContinuousClock(),
    plugins: [Plugin<ItemState<Item>>] = []
  ) {
    let slice = ItemSlice<ItemState<Item>, Item>(
      id, in: Substate { item, body in body(&item) }, reading: { $0 }, from: repository, policy)
    let store = Store(
      reducer: slice.reducer, plugins: plugins + [.asyncWork(clock: clock)], state: ItemState(initialData))
    self.init(slice.source, store.proxy, keeping: store)
  }

  /// Creates the model of a value in the store of an app.
  ///
  /// The model does not retain the store.
  ///
  /// - Parameters:
  ///   - slice: The slice of the value. The reducer of the store must include the reducer of
  ///     the slice.
  ///   - store: A proxy for the store.
  public convenience init<Root: FluxState>(_ slice: ItemSlice<Root, Item>, in store: StoreProxy<Root>) {
    let read = slice.source.read
    self.init(slice.source, store.proxy(for: { read($0) ?? ItemState() }), keeping: nil)
  }

  // MARK: - The value

  /// The state of the value, or an empty state if the store of the model was released.
  public var state: ItemState<Item> {
    registrar.access(self, keyPath: \.state)
    return proxy.state ?? ItemState()
  }

  /// A stream of the current state of the value, followed by newer states.
  ///
  /// The stream does not retain the model, and ends when the model is released.
  public var states: StateStream<ItemState<Item>> {
    subscriptions.stream { [proxy] in
      proxy.subscribe(to: { $0 }, by: { ItemVersion(of: $0) == ItemVersion(of: $1) }, $0)
    }
  }

  private func tell() {
    registrar.willSet(self, keyPath: \.state)
    registrar.didSet(self, keyPath: \.state)
  }

  // MARK: - Loading

  /// Erases the value and loads it.
  ///
  /// - Returns: The value, or the failure if the value was not loaded.
  @discardableResult
  public func reload() async -> Result<Item?, ListFailure> { await load(erasing: true) }

  /// Loads the value.
  ///
  /// The load replaces the current value only if the load succeeds.
  ///
  /// - Returns: The value, or the failure if the value was not loaded.
  @discardableResult
  public func refresh() async -> Result<Item?, ListFailure> { await load(erasing: false) }

  /// Cancels the load of the value.
  ///
  /// The value does not change.
  public func cancel() {
    proxy.dispatch(source.cancel)
  }

  /// Erases the value, and cancels its load.
  public func flush() {
    proxy.dispatch(FlushList(list: source.id))
  }

  /// Replaces the value.
  public func override(by item: Item?) {
    proxy.dispatch(OverrideItem(id: source.id, item: item))
  }

  private func load(erasing: Bool) async -> Result<Item?, ListFailure> {
    let result = await proxy.request(ItemLoad(source: source, erases: erasing)).result
    return result.map(\.item).mapError { ListFailure(of: $0) }
  }
}

extension ItemModel: Observable {}
