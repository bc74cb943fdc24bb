public import FluxAsync
public import FluxCore
import Synchronization

/// One value that is loaded, as part of a state: what ``ListState`` is for many.
///
/// An ``ItemSlice`` makes the actions and the reducer that change it.
public struct ItemState<Item: Sendable>: FluxState {
  /// What has come; `nil` if nothing has, or there is none.
  public var item: Item? {
    didSet { revision = ItemRevision() }
  }
  /// Tells one item from another, also where items cannot be compared.
  var revision = ItemRevision()
  /// The load that is on its way: answers to others are dropped.
  public var load: RequestID?
  /// Why the last load was of no use; `nil` once another one begins.
  public var error: ListFailure?
  /// Whether a load has succeeded, or there was initial data.
  public var isLoaded: Bool
  /// When it was loaded, on the clock of the store's work.
  public var loadedAt: Duration?
  /// The error that there was before the load on its way, which comes back if that is cancelled.
  var errorBefore: ListFailure?

  /// Creates a value that was not loaded.
  ///
  /// - Parameter initialData: What to show before; with some, it counts as loaded.
  public init(_ initialData: Item? = nil) {
    item = initialData
    isLoaded = initialData != nil
  }

  /// What is known of it.
  public var loadingState: LoadingState {
    if load != nil { return .loading }
    if error != nil { return .error }
    return isLoaded ? .loaded : .initialized
  }

  /// Whether it is being loaded.
  public var isLoading: Bool { load != nil }

  /// Shows another value; a load on its way stays on its way.
  public mutating func override(by item: Item?) {
    self.item = item
    isLoaded = item != nil
  }

  // MARK: Events

  /// A load was sent, which takes the place of any other.
  public mutating func began(_ id: RequestID, erasing: Bool) {
    let before = load == nil ? error : errorBefore
    if erasing { self = ItemState() }
    errorBefore = before
    load = id
    error = nil
  }

  /// A load was answered; the answer to one that is not on its way changes nothing.
  public mutating func received(_ answer: ItemAnswer<Item>, for id: RequestID) {
    guard load == id else { return }
    self = ItemState(answer.item)
    isLoaded = true
    loadedAt = answer.time
  }

  /// A load has failed; that of one that is not on its way changes nothing, and one that was cancelled leaves
  /// no trace.
  public mutating func failed(_ failure: ListFailure, for id: RequestID) {
    guard load == id else { return }
    load = nil
    error = failure.isHarmless ? errorBefore : failure
    errorBefore = nil
  }
}

/// Names what an item was set to; no part of its equality.
struct ItemRevision: Equatable, Sendable {
  private static let last = Atomic<UInt64>(0)
  let number = last.wrappingAdd(1, ordering: .relaxed).newValue

  static func == (first: ItemRevision, second: ItemRevision) -> Bool { true }
}

/// Names a version of a value with all that is known of it: two that are equal show the same.
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

/// What has come of a load of one value.
public struct ItemAnswer<Item: Sendable>: Sendable {
  /// The value; `nil` if there is none.
  public var item: Item?
  /// When it came, on the clock of the store's work.
  public var time: Duration

  /// Creates an answer: for tests of reducers.
  public init(_ item: Item?, at time: Duration) {
    self.item = item
    self.time = time
  }
}

extension ItemAnswer: Equatable where Item: Equatable {}
