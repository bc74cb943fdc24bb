public import FluxAsync
public import FluxCollections
public import FluxCore

/// A list that is loaded, as part of a state.
///
/// ```swift
/// struct AppState: FluxState {
///   var books = ListState<Book>()
/// }
/// ```
///
/// A ``ListSlice`` makes the actions and the reducer that change it. It is a value like any other: it stands
/// in logs, histories and tests, and is read from any thread.
///
/// What it says of itself is computed from what has happened to it, so that it cannot contradict itself: a
/// list is loading exactly while there is a ``load``.
public struct ListState<Item: Identifiable & Sendable>: FluxState where Item.ID: Sendable {
  /// A load that is on its way.
  public struct Load: Hashable, Sendable {
    /// Which request it is: answers to others are dropped.
    public var id: RequestID
    /// What it is to do.
    public var kind: ListLoadKind

    /// Creates the note of a load.
    public init(id: RequestID, kind: ListLoadKind) {
      self.id = id
      self.kind = kind
    }
  }

  /// What has come, in its order.
  public var items: OrderedState<Item>
  /// The load that is on its way.
  public var load: Load?
  /// Why the last load was of no use; `nil` once another one begins.
  public var error: ListFailure?
  /// Whether ``error`` is that of loading more, and not of the list as a whole.
  public var errorIsAtEnd = false
  /// Whether a load has succeeded, or there was initial data.
  public var isLoaded: Bool
  /// The page that was loaded last.
  public var lastPage: LoadedPage?
  /// Where the next page begins; `nil` when the end is reached.
  public var nextPage: PagePosition? = .first
  /// When the list as a whole was loaded, on the clock of the store's work.
  public var loadedAt: Duration?
  /// Whether what was loaded is known to be out of date.
  public var isInvalidated = false
  /// The error that there was before the load on its way, which comes back if that is cancelled.
  struct ErrorBefore: Equatable, Sendable {
    let error: ListFailure
    let isAtEnd: Bool
  }

  var errorBefore: ErrorBefore?
  /// Whether the list was invalidated since the load on its way began.
  var isInvalidatedMeanwhile = false
  /// The changes that the repository has not confirmed yet.
  var edits = ListEdits<Item>()

  /// Creates a list that was not loaded.
  public init() {
    self.init([])
  }

  /// Creates a list with what to show before it is loaded; with some, it counts as loaded.
  public init(_ initialData: some Sequence<Item>) {
    items = OrderedState(initialData)
    isLoaded = !items.isEmpty
  }

  // MARK: - What is known of it

  /// What is known of the list as a whole.
  public var loadingState: LoadingState {
    if let load, load.kind != .next { return .loading }
    if error != nil, !errorIsAtEnd { return .error }
    return isLoaded ? .loaded : .initialized
  }

  /// What is known of the end of the list.
  public var endState: EndState {
    if load?.kind == .next { return .loading }
    if error != nil, errorIsAtEnd { return .error }
    return nextPage == nil ? .reachedEnd : .idle
  }

  /// Whether anything is being loaded.
  public var isLoading: Bool { load != nil }

  /// Whether there may be another page, and nothing is being loaded.
  public var canFetchNext: Bool { load == nil && nextPage != nil }

  /// How many pages are loaded.
  public var currentPage: Int { lastPage.map { $0.position.number + 1 } ?? 0 }

  /// How many items there are in all pages, where the server has said so.
  public var total: Int? { lastPage?.total }

  /// Whether changes wait to be confirmed.
  public var hasUnconfirmedChanges: Bool { !edits.isEmpty }

  /// Whether the change of the item with an id waits to be confirmed.
  public func isUnconfirmed(_ id: Item.ID) -> Bool { edits.concern(id) }

  /// Whether the list should be loaded: it was not, is known to be out of date, or has expired.
  ///
  /// - Parameters:
  ///   - now: The time on the clock of the store's work.
  ///   - lifetime: How long a list is good for; `nil` for ever.
  public func isStale(at now: Duration, lifetime: Duration?) -> Bool {
    guard isLoaded, !isInvalidated, loadingState != .error else { return true }
    guard let lifetime else { return false }
    // Initial data is of no known age.
    return loadedAt.map { now - $0 >= lifetime } ?? true
  }

  /// Whether the item with an id is among the last `distance` ones.
  ///
  /// O(log n).
  public func isNearEnd(_ id: Item.ID, within distance: Int) -> Bool {
    items.position(of: id).map { $0 >= items.count - distance } ?? false
  }
}

extension ListState: Equatable where Item: Equatable {}
