import FluxAsync
public import FluxCore

extension ListModel {
  /// Creates a model of a list, with its own store.
  ///
  /// - Parameters:
  ///   - repository: The source of the items. The list is loaded in pages if the repository is
  ///     an ``AnyPaginatedListRepository``, and as a whole otherwise.
  ///   - initialData: The items to show before the first load.
  ///   - id: The name of the list in logs.
  ///   - options: Options that control how the list is loaded.
  ///   - clock: The clock that measures the lifetime of the list, and the delays and time limits
  ///     of its policy.
  ///   - plugins: Plug-ins of the store, such as logs.
  public convenience init(
    from repository: some AnyListRepository<Item>, initialData: some Sequence<Item>, id: ListID = "List",
    options: ListOptions<Item> = ListOptions(), clock: any Clock<Duration> = ContinuousClock(),
    plugins: [Plugin<ListState<Item>>] = []
  ) {
    let slice = ListSlice<ListState<Item>, Item>(
      id, in: Substate { list, body in body(&list) }, reading: { $0 }, from: repository, options: options)
    let store = Store(
      reducer: slice.reducer, plugins: plugins + [.asyncWork(clock: clock)], state: ListState(initialData))
    self.init(slice.source, store.proxy, keeping: store)
  }

  /// Creates a model of an empty list, with its own store.
  ///
  /// - Parameters:
  ///   - repository: The source of the items. The list is loaded in pages if the repository is
  ///     an ``AnyPaginatedListRepository``, and as a whole otherwise.
  ///   - id: The name of the list in logs.
  ///   - options: Options that control how the list is loaded.
  ///   - clock: The clock that measures the lifetime of the list, and the delays and time limits
  ///     of its policy.
  ///   - plugins: Plug-ins of the store, such as logs.
  public convenience init(
    from repository: some AnyListRepository<Item>, id: ListID = "List",
    options: ListOptions<Item> = ListOptions(), clock: any Clock<Duration> = ContinuousClock(),
    plugins: [Plugin<ListState<Item>>] = []
  ) {
    self.init(from: repository, initialData: [], id: id, options: options, clock: clock, plugins: plugins)
  }

  /// Creates the model of a list in the store of an app.
  ///
  /// The model does not retain the store.
  ///
  /// - Parameters:
  ///   - slice: The slice of the list. The reducer of the store must include the reducer of the
  ///     slice.
  ///   - store: A proxy for the store.
  public convenience init<Root: FluxState>(_ slice: ListSlice<Root, Item>, in store: StoreProxy<Root>) {
    let read = slice.source.read
    self.init(slice.source, store.proxy(for: { read($0) ?? ListState() }), keeping: nil)
  }
}
