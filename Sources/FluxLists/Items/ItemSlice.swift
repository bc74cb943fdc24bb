public import FluxAsync
public import FluxCore

/// The description of a loaded value in a store: its location in the state, its repository, its
/// actions, and its reducer.
///
/// ```swift
/// let profile = ItemSlice("Profile", at: \AppState.profile, from: ProfileRepository())
/// store.dispatch(profile.reload)
/// ```
///
/// An `ItemSlice` is the counterpart of ``ListSlice`` for one value.
public struct ItemSlice<Root: FluxState, Item: Sendable>: Sendable {
  let source: ItemSource<Item>
  private let substate: Substate<Root, ItemState<Item>>

  /// Creates the slice of a value.
  ///
  /// - Parameters:
  ///   - id: The name of the value, unique among the values and lists of the store.
  ///   - path: The key path of the value in the state.
  ///   - repository: The repository that the value is loaded from.
  ///   - policy: The policy for loading the value, such as retries or a time limit. The key of
  ///     the policy has no effect, because all loads of the value use `id` as their key.
  public init(
    _ id: ListID, at path: any WritableKeyPath<Root, ItemState<Item>> & Sendable,
    from repository: some AnyRepository<Item>, policy: WorkPolicy = .latest
  ) {
    self.init(id, in: .keyPath(path), reading: { $0[keyPath: path] }, from: repository, policy)
  }

  init(
    _ id: ListID, in substate: Substate<Root, ItemState<Item>>,
    reading read: @escaping @Sendable (Root) -> ItemState<Item>, from repository: some AnyRepository<Item>,
    _ policy: WorkPolicy
  ) {
    source = ItemSource(
      id: id, policy: policy.shared(by: id), shouldFetch: { repository.shouldFetch() },
      fetch: { try await repository.fetch() }, read: { ($0 as? Root).map(read) })
    self.substate = substate
  }

  /// The id of the value.
  public var id: ListID { source.id }

  /// An action that erases the value and loads it.
  public var reload: ItemLoad<Item> { ItemLoad(source: source, erases: true) }

  /// An action that loads the value.
  ///
  /// The load replaces the current value only if the load succeeds.
  public var refresh: ItemLoad<Item> { ItemLoad(source: source, erases: false) }

  /// An action that cancels the load of the value.
  ///
  /// The value does not change.
  public var cancel: CancelWork { source.cancel }

  /// An action that erases the value and cancels its load.
  ///
  /// After the action is reduced, the value is `nil` and counts as not loaded.
  public var flush: FlushList { FlushList(list: id) }

  /// The reducer that handles the actions of the value.
  public var reducer: ActionHandlers<Root> {
    let item = ListHandlers(id: id, substate: substate)
    return combine(
      item.on(ItemLoad<Item>.Pending.self, { $0.request.source.id }) {
        $0.began($1.id, erasing: $1.request.erases)
      },
      item.on(ItemLoad<Item>.Fulfilled.self, { $0.request.source.id }) { $0.received($1.value, for: $1.id) },
      item.on(ItemLoad<Item>.Rejected.self, { $0.request.source.id }) {
        $0.failed(ListFailure(of: $1.failure), for: $1.id)
      },
      item.on(FlushList.self, { $0.list }) { item, _ in item = ItemState() },
      item.on(OverrideItem<Item>.self, { $0.id }) { $0.override(by: $1.item) })
  }
}

/// A value that the actions of an item slice contain: the id, policy, repository, and location
/// of the item.
struct ItemSource<Item: Sendable>: Sendable {
  let id: ListID
  let policy: WorkPolicy
  let shouldFetch: @Sendable () -> Bool
  let fetch: @Sendable () async throws -> Item?
  let read: @Sendable (any FluxState) -> ItemState<Item>?

  var cancel: CancelWork { CancelWork(id: id, because: "loading was canceled") }
}
