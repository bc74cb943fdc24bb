public import FluxAsync
public import FluxCore

/// A value of a store that is loaded: where it stands in the state, where it comes from, and the actions and
/// the reducer that belong to it.
///
/// ```swift
/// let profile = ItemSlice("Profile", at: \AppState.profile, from: ProfileRepository())
/// store.dispatch(profile.reload)
/// ```
///
/// It does for one value what ``ListSlice`` does for a list.
public struct ItemSlice<Root: FluxState, Item: Sendable>: Sendable {
  let source: ItemSource<Item>
  private let substate: Substate<Root, ItemState<Item>>

  /// Creates the slice of a value.
  ///
  /// - Parameters:
  ///   - id: Its name, another one for each value and list of a store.
  ///   - path: Where it stands in the state.
  ///   - repository: Where it comes from.
  ///   - policy: What becomes of a load that takes long, or fails. What it is keyed by does not count.
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

  /// The name of the value.
  public var id: ListID { source.id }

  /// Erases the value, and loads it.
  public var reload: ItemLoad<Item> { ItemLoad(source: source, erases: true) }

  /// Loads the value, and shows the one there is until then, or if it fails.
  public var refresh: ItemLoad<Item> { ItemLoad(source: source, erases: false) }

  /// Cancels what loads the value, which stays as it is.
  public var cancel: CancelWork { source.cancel }

  /// Erases the value, as if it had never been loaded, and cancels what loads it.
  public var flush: FlushList { FlushList(list: id) }

  /// Changes the value for its actions.
  public var reducer: ActionHandlers<Root> {
    combine(
      of(ItemLoad<Item>.Pending.self, \.request.source.id) { $0.began($1.id, erasing: $1.request.erases) },
      of(ItemLoad<Item>.Fulfilled.self, \.request.source.id) { $0.received($1.value, for: $1.id) },
      of(ItemLoad<Item>.Rejected.self, \.request.source.id) {
        $0.failed(ListFailure(of: $1.failure), for: $1.id)
      },
      of(FlushList.self, \.list) { item, _ in item = ItemState() },
      of(OverrideItem<Item>.self, \.id) { $0.override(by: $1.item) })
  }

  private func of<Handled: Action>(
    _ type: Handled.Type, _ name: @escaping @Sendable (Handled) -> ListID,
    _ change: @escaping @Sendable (inout ItemState<Item>, Handled) -> Void
  ) -> ActionHandlers<Root> {
    on(type) { [id, substate] root, action in
      guard name(action) == id else { return }
      substate.modify(&root) { item in change(&item, action) }
    }
  }
}

/// What the actions of a value carry.
struct ItemSource<Item: Sendable>: Sendable {
  let id: ListID
  let policy: WorkPolicy
  let shouldFetch: @Sendable () -> Bool
  let fetch: @Sendable () async throws -> Item?
  let read: @Sendable (any FluxState) -> ItemState<Item>?

  var cancel: CancelWork { CancelWork(id: id, because: "it was told to stop loading") }
}
