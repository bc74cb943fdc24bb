public import FluxAsync
public import FluxCore
import Synchronization

/// A value that is loaded from a repository, as part of a state.
///
/// An `ItemState` is the counterpart of ``ListState`` for one value. The actions and the
/// reducer of an ``ItemSlice`` change the state.
public struct ItemState<Item: Sendable>: FluxState {
  /// The value, or `nil` if no value was loaded or the repository has no value.
  public var item: Item? {
    didSet { revision = ItemRevision() }
  }
  /// A number that identifies the current value, even if the type of the value is not
  /// `Equatable`.
  var revision = ItemRevision()
  /// The id of the running load.
  ///
  /// The results of other loads are dropped.
  public var load: RequestID?
  /// The error of the last load, or `nil` if the load succeeded or another load is running.
  public var error: ListFailure?
  /// A Boolean value that indicates whether a load has succeeded or there is initial data.
  public var isLoaded: Bool
  /// The time at which the value was last loaded, as measured by the clock that the store uses
  /// for asynchronous work.
  public var loadedAt: Duration?
  /// The error that existed before the running load began, and that is restored if the load is
  /// canceled.
  var errorBefore: ListFailure?

  /// Creates the state of a value.
  ///
  /// - Parameter initialData: The value to show before the first load. If the value is not
  ///   `nil`, the state counts as loaded.
  public init(_ initialData: Item? = nil) {
    item = initialData
    isLoaded = initialData != nil
  }

  /// The loading state of the value.
  public var loadingState: LoadingState {
    if load != nil { return .loading }
    if error != nil { return .error }
    return isLoaded ? .loaded : .initialized
  }

  /// A Boolean value that indicates whether the value is being loaded.
  public var isLoading: Bool { load != nil }

  /// Replaces the value, without ending a running load.
  public mutating func override(by item: Item?) {
    self.item = item
    isLoaded = item != nil
  }

  // MARK: Events

  /// Begins a load that replaces any running load.
  public mutating func began(_ id: RequestID, erasing: Bool) {
    let before = load == nil ? error : errorBefore
    if erasing { self = ItemState() }
    errorBefore = before
    load = id
    error = nil
  }

  /// Applies the result of a load.
  ///
  /// If the result belongs to a load other than the current load, the method has no effect.
  public mutating func received(_ answer: ItemAnswer<Item>, for id: RequestID) {
    guard load == id else { return }
    self = ItemState(answer.item)
    isLoaded = true
    loadedAt = answer.time
  }

  /// Ends a load that has failed, and keeps the value.
  ///
  /// If the load was canceled or unwanted, the method restores the previous error. If the
  /// failure belongs to a load other than the current load, the method has no effect.
  public mutating func failed(_ failure: ListFailure, for id: RequestID) {
    guard load == id else { return }
    load = nil
    error = failure.isHarmless ? errorBefore : failure
    errorBefore = nil
  }
}

/// A number that distinguishes successive assignments of an item.
///
/// The number does not affect the equality of states.
struct ItemRevision: Equatable, Sendable {
  private static let last = Atomic<UInt64>(0)
  let number = last.wrappingAdd(1, ordering: .relaxed).newValue

  static func == (first: ItemRevision, second: ItemRevision) -> Bool { true }
}

/// A value that identifies the content and the loading state of an `ItemState`.
///
/// Two states with equal versions show the same content.
struct ItemVersion: Equatable, Sendable {
  let revision: UInt64
  let load: RequestID?
  let error: ListFailure?
  let isLoaded: Bool
  let loadedAt: Duration?

  init<Item>(of state: ItemState<Item>) {
    revision = state.revision.number
    load = state.load
    error = state.error
    isLoaded = state.isLoaded
    loadedAt = state.loadedAt
  }
}

extension ItemState: Equatable where Item: Equatable {}

/// The result of loading one value.
public struct ItemAnswer<Item: Sendable>: Sendable {
  /// The value, or `nil` if the repository has no value.
  public var item: Item?
  /// The time at which the value was received, as measured by the clock that the store uses for
  /// asynchronous work.
  public var time: Duration

  /// Creates a result, for use in tests of reducers.
  public init(_ item: Item?, at time: Duration) {
    self.item = item
    self.time = time
  }
}

extension ItemAnswer: Equatable where Item: Equatable {}
