public import FluxAsync
public import FluxCollections
public import FluxCore
public import Observation

/// A model that loads a list from a repository, in its own store or in the store of an app.
///
/// ```swift
/// let books = ListModel(from: BooksRepository())
/// try await books.reload()
/// for await list in books.states { show(list.items) }
/// ```
///
/// The list of the model is a ``ListState``, and the methods of the model dispatch the actions
/// of a ``ListSlice``. A model can be used from any thread. ``ListViewModel`` wraps a model for
/// the main actor, and can be subclassed.
///
/// **Observing changes.** ``subscribe(initial:_:)`` calls a closure after each change, and
/// ``states`` is an asynchronous sequence. The `Observation` framework tracks the properties of
/// the model. SwiftUI views and `withObservationTracking` are notified after a property has
/// changed, on the thread that delivers the change.
///
/// **Waiting.** The methods that load the list return when the load has ended. If a waiting task
/// is canceled, for example because its view disappears, the load is canceled too. After the
/// load is canceled, the list is no longer in a loading state.
public final class ListModel<Item: Identifiable & Sendable>: Sendable where Item.ID: Sendable {
  let source: ListSource<Item>
  /// A proxy for the list in its store.
  public let proxy: StoreProxy<ListState<Item>>
  /// The store that the model owns, or `nil` if the store belongs to an app.
  private let store: Store<ListState<Item>>?
  private let registrar = ObservationRegistrar()
  private let subscriptions = ModelSubscriptions()
  /// The version of the list that observers were last notified of.
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

  /// The list, or an empty list if the store of the model was released.
  public var list: ListState<Item> {
    access(\.list)
    return now
  }

  /// The ordered items of the list.
  public var data: OrderedState<Item> {
    access(\.data)
    return now.items
  }

  /// The loading state of the list as a whole.
  public var state: LoadingState {
    access(\.state)
    return now.loadingState
  }

  /// The loading state of the next page.
  public var endState: EndState {
    access(\.endState)
    return now.endState
  }

  /// A Boolean value that indicates whether the list or a page is being loaded.
  public var isLoading: Bool {
    access(\.isLoading)
    return now.isLoading
  }

  /// The error of the last load, or `nil` if the load did not fail.
  public var error: ListFailure? {
    access(\.error)
    return now.error
  }

  /// The current list.
  ///
  /// Reading the property does not register an observation.
  var now: ListState<Item> { proxy.state ?? ListState() }

  // MARK: - Observing changes

  /// Returns a Boolean value that indicates whether two versions of the list show the same
  /// content.
  static func areEqual(_ old: ListState<Item>, _ new: ListState<Item>) -> Bool {
    ListVersion(of: old) == ListVersion(of: new)
  }

  /// Calls a closure with the current list, and with the new list after each change.
  ///
  /// The closure is called on the thread that delivers the change. For details, see
  /// `subscribe(initial:_:)` of ``/FluxCore/StateSource``.
  public func subscribe(
    initial: Bool = true, _ receive: @escaping @Sendable (ListState<Item>) -> Void
  ) -> SubscriptionToken {
    proxy.subscribe(to: { $0 }, by: Self.areEqual, initial: initial, receive)
  }

  /// A stream of the current version of the list, followed by newer versions.
  ///
  /// Use the stream to detect changes to the list without receiving the list itself. The stream
  /// does not retain the model, and ends when the model is released.
  public var changes: StateStream<ListVersion> {
    subscriptions.stream(by: ==) { [proxy] in proxy.subscribe(to: { ListVersion(of: $0) }, $0) }
  }

  /// A stream of the current list, followed by newer lists.
  ///
  /// The stream does not retain the model, and ends when the model is released.
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

/// A value that identifies the content and the loading state of a list.
///
/// Two lists with equal versions show the same content. Comparing two versions is O(1),
/// regardless of the length of the list.
public struct ListVersion: Equatable, Sendable {
  let items: VersionStamp
  let load: RequestID?
  let loadingState: LoadingState
  let endState: EndState
  let error: ListFailure?
  let position: PagePosition
  let loadedAt: Duration?
  let isInvalidated: Bool
  let unconfirmed: Int

  var isLoading: Bool { load != nil }

  init<Item>(of list: ListState<Item>) {
    items = list.items.stamp
    load = list.load?.id
    loadingState = list.loadingState
    endState = list.endState
    error = list.error
    loadedAt = list.loadedAt
    position = list.nextPage ?? list.lastPage?.following ?? .first
    isInvalidated = list.isInvalidated
    unconfirmed = list.edits.count
  }
}
