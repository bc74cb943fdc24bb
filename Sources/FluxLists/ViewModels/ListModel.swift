public import FluxAsync
public import FluxCollections
public import FluxCore
public import Observation

/// A list that loads itself, in a small store of its own or in that of an app: what view models are made of.
///
/// ```swift
/// let books = ListModel(from: BooksRepository())
/// try await books.reload()
/// for await list in books.states { show(list.items) }
/// ```
///
/// Its list is a ``ListState``, and what it does are the actions of a ``ListSlice``. It is `Sendable`, and
/// used from any thread; ``ListViewModel`` is the same for the main actor, to be made subclasses of.
///
/// **Hearing of changes.** ``subscribe(initial:_:)`` calls a closure, ``states`` is an asynchronous sequence,
/// and whoever reads a property inside `withObservationTracking`, or a SwiftUI view, hears when that property
/// has changed. The observation comes after the change, on the thread that made it.
///
/// **Waiting.** The methods that load return when the list has been loaded. When the task that waits is
/// cancelled, as that of a view which goes away, the load is too, and leaves no spinner.
public final class ListModel<Item: Identifiable & Sendable>: Sendable where Item.ID: Sendable {
  let source: ListSource<Item>
  /// The list, as a part of the store it is in.
  public let proxy: StoreProxy<ListState<Item>>
  /// The store, if this is the one who keeps it.
  private let store: Store<ListState<Item>>?
  private let registrar = ObservationRegistrar()
  private let subscriptions = ModelSubscriptions()
  /// What those who observe were last told of.
  private let told: Locked<ListVersion>

  init(
    _ source: ListSource<Item>, _ proxy: StoreProxy<ListState<Item>>, keeping store: Store<ListState<Item>>?
  ) {
    self.source = source
    self.proxy = proxy
    self.store = store
    told = Locked(ListVersion(of: proxy.state ?? ListState()))
    let follow = source.repository.follow
    proxy.subscribe(owner: self, to: { ListVersion(of: $0) }) { model, digest in
      follow(digest.position, digest.endState == .reachedEnd)
      model.tell(digest)
    }
  }

  // MARK: - The list

  /// All of the list; empty once its store has gone.
  public var list: ListState<Item> {
    access(\.list)
    return now
  }

  /// What has come, in its order.
  public var data: OrderedState<Item> {
    access(\.data)
    return now.items
  }

  /// What is known of the list as a whole.
  public var state: LoadingState {
    access(\.state)
    return now.loadingState
  }

  /// What is known of the end of the list.
  public var endState: EndState {
    access(\.endState)
    return now.endState
  }

  /// Whether anything is being loaded.
  public var isLoading: Bool {
    access(\.isLoading)
    return now.isLoading
  }

  /// Why the last load was of no use.
  public var error: ListFailure? {
    access(\.error)
    return now.error
  }

  /// The list, without observing it.
  var now: ListState<Item> { proxy.state ?? ListState() }

  // MARK: - Hearing of changes

  /// Whether two versions of the list show the same.
  static func areEqual(_ old: ListState<Item>, _ new: ListState<Item>) -> Bool {
    ListVersion(of: old) == ListVersion(of: new)
  }

  /// Calls a closure with the list now, and each time that something has changed.
  ///
  /// On the thread that delivers; see `subscribe(initial:_:)` of ``/FluxCore/StateSource``.
  public func subscribe(
    initial: Bool = true, _ receive: @escaping @Sendable (ListState<Item>) -> Void
  ) -> SubscriptionToken {
    proxy.subscribe(to: { $0 }, by: Self.areEqual, initial: initial, receive)
  }

  /// The version of the list now, and newer ones, for those who only want to know that something has changed.
  ///
  /// It does not keep the list alive, and ends with it.
  public var changes: StateStream<ListVersion> {
    subscriptions.stream(by: ==) { [proxy] in proxy.subscribe(to: { ListVersion(of: $0) }, $0) }
  }

  /// The list now, and newer ones, as an asynchronous sequence, which does not keep the list alive and ends
  /// with it.
  public var states: StateStream<ListState<Item>> {
    subscriptions.stream(by: Self.areEqual) { [proxy] receive in
      proxy.subscribe(to: { $0 }, by: Self.areEqual, receive)
    }
  }

  private func access<Value>(_ path: any KeyPath<ListModel, Value> & Sendable) {
    registrar.access(self, keyPath: path)
  }

  private func tell(_ digest: ListVersion) {
    let before = told.exchange(digest)
    tell(\.list, true)
    tell(\.data, before.items != digest.items)
    tell(\.state, before.loadingState != digest.loadingState)
    tell(\.endState, before.endState != digest.endState)
    tell(\.isLoading, before.isLoading != digest.isLoading)
    tell(\.error, before.error != digest.error)
  }

  private func tell<Value>(_ path: any KeyPath<ListModel, Value> & Sendable, _ hasChanged: Bool) {
    guard hasChanged else { return }
    registrar.willSet(self, keyPath: path)
    registrar.didSet(self, keyPath: path)
  }
}

extension ListModel: Observable {}
