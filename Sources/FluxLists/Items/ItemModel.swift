public import FluxAsync
public import FluxCore
public import Observation

/// A value that loads itself, in a small store of its own or in that of an app: what ``ListModel`` is for a
/// list.
///
/// It is used from any thread, and heard of in the same ways.
public final class ItemModel<Item: Sendable>: Sendable {
  private let source: ItemSource<Item>
  /// The value, as a part of the store it is in.
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

  /// Creates a value in a small store of its own.
  ///
  /// - Parameters:
  ///   - repository: Where it comes from.
  ///   - initialData: What to show before it is loaded.
  ///   - id: Its name in logs.
  ///   - policy: What becomes of a load that takes long, or fails.
  ///   - clock: What waits are measured on.
  ///   - plugins: Extensions of the store, such as logs.
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

  /// Creates the model of a value in the store of an app, which it does not keep alive.
  ///
  /// - Parameters:
  ///   - slice: The value, whose reducer is part of the store's.
  ///   - store: The store, by its proxy.
  public convenience init<Root: FluxState>(_ slice: ItemSlice<Root, Item>, in store: StoreProxy<Root>) {
    let read = slice.source.read
    self.init(slice.source, store.proxy(for: { read($0) ?? ItemState() }), keeping: nil)
  }

  // MARK: - The value

  /// All that is known of the value; nothing once its store has gone.
  public var state: ItemState<Item> {
    registrar.access(self, keyPath: \.state)
    return proxy.state ?? ItemState()
  }

  /// The value now, and newer ones, as an asynchronous sequence, which does not keep the model alive and ends
  /// with it.
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

  /// Erases the value, and loads it.
  ///
  /// - Returns: What has come; why nothing has, if so.
  @discardableResult
  public func reload() async -> Result<Item?, ListFailure> { await load(erasing: true) }

  /// Loads the value, and shows the one there is until then, or if it fails.
  ///
  /// - Returns: What has come; why nothing has, if so.
  @discardableResult
  public func refresh() async -> Result<Item?, ListFailure> { await load(erasing: false) }

  /// Cancels what loads the value, which stays as it is.
  public func cancel() {
    proxy.dispatch(source.cancel)
  }

  /// Erases the value, as if it had never been loaded, and cancels what loads it.
  public func flush() {
    proxy.dispatch(FlushList(list: source.id))
  }

  /// Shows another value.
  public func override(by item: Item?) {
    proxy.dispatch(OverrideItem(id: source.id, item: item))
  }

  private func load(erasing: Bool) async -> Result<Item?, ListFailure> {
    let result = await proxy.request(ItemLoad(source: source, erases: erasing)).result
    return result.map(\.item).mapError { ListFailure(of: $0) }
  }
}

extension ItemModel: Observable {}
