import FluxAsync
public import FluxCore

extension ListModel {
  /// Creates a list in a small store of its own.
  ///
  /// - Parameters:
  ///   - repository: Where it comes from: in pages, if it is an ``AnyPaginatedListRepository``, and else all
  ///     at once.
  ///   - initialData: What to show before it is loaded.
  ///   - id: Its name in logs.
  ///   - options: How it is loaded.
  ///   - clock: What its age and its waits are measured on.
  ///   - plugins: Extensions of the store, such as logs.
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

  /// Creates an empty list in a small store of its own.
  ///
  /// - Parameters:
  ///   - repository: Where it comes from: in pages, if it is an ``AnyPaginatedListRepository``, and else all
  ///     at once.
  ///   - id: Its name in logs.
  ///   - options: How it is loaded.
  ///   - clock: What its age and its waits are measured on.
  ///   - plugins: Extensions of the store, such as logs.
  public convenience init(
    from repository: some AnyListRepository<Item>, id: ListID = "List",
    options: ListOptions<Item> = ListOptions(), clock: any Clock<Duration> = ContinuousClock(),
    plugins: [Plugin<ListState<Item>>] = []
  ) {
    self.init(from: repository, initialData: [], id: id, options: options, clock: clock, plugins: plugins)
  }

  /// Creates the model of a list in the store of an app, which it does not keep alive.
  ///
  /// - Parameters:
  ///   - slice: The list, whose reducer is part of the store's.
  ///   - store: The store, by its proxy.
  public convenience init<Root: FluxState>(_ slice: ListSlice<Root, Item>, in store: StoreProxy<Root>) {
    let read = slice.source.read
    self.init(slice.source, store.proxy(for: { read($0) ?? ListState() }), keeping: nil)
  }
}
