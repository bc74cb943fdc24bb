public import FluxAsync
public import FluxCollections
public import FluxCore

/// A list that a repository loads, as a part of the state.
///
/// ```swift
/// struct AppState: FluxState {
///   var books = ListState<Book>()
/// }
/// ```
///
/// The actions and the reducer of a ``ListSlice`` change the list. The list is a value that can
/// be logged, recorded in a history, compared in tests, and read from any thread.
///
/// The loading state is computed from the stored properties, so it is always consistent with
/// them. For example, a list is loading if and only if ``load`` is not `nil`.
public struct ListState<Item: Identifiable & Sendable>: FluxState where Item.ID: Sendable {
  /// A load that is running.
  public struct Load: Hashable, Sendable {
    /// The id of the request.
    ///
    /// The results of other requests are dropped.
    public var id: RequestID
    /// The kind of load.
    public var kind: ListLoadKind

    /// Creates the description of a load.
    @inlinable
    public init(id: RequestID, kind: ListLoadKind) {
      self.id = id
      self.kind = kind
    }
  }

  /// The ordered items of the list.
  public var items: OrderedState<Item>
  /// The running load, or `nil` if no load is running.
  public var load: Load?
  /// The error of the last load, or `nil` if the load succeeded or another load is running.
  public var error: ListFailure?
  /// A Boolean value that indicates whether ``error`` applies to the next page instead of the
  /// whole list.
  public var errorIsAtEnd = false
  /// A Boolean value that indicates whether a load has succeeded or the list has initial data.
  public var isLoaded: Bool
  /// The page that was loaded last.
  public var lastPage: LoadedPage?
  /// The position of the next page, or `nil` after the last page.
  public var nextPage: PagePosition? = .first
  /// The time at which the first page was last loaded, as measured by the clock that the store
  /// uses for asynchronous work.
  public var loadedAt: Duration?
  /// A Boolean value that indicates whether the content of the list was marked as out of date.
  public var isInvalidated = false
  /// The error that existed before the running load began, and that is restored if the load is
  /// canceled.
  @usableFromInline
  struct ErrorBefore: Equatable, Sendable {
    @usableFromInline let error: ListFailure
    @usableFromInline let isAtEnd: Bool

    @inlinable
    init(error: ListFailure, isAtEnd: Bool) {
      self.error = error
      self.isAtEnd = isAtEnd
    }
  }

  @usableFromInline var errorBefore: ErrorBefore?
  /// A Boolean value that indicates whether the list was invalidated while the load was running.
  @usableFromInline var isInvalidatedMeanwhile = false
  /// The edits that the repository has not confirmed.
  @usableFromInline var edits = ListEdits<Item>()

  /// Creates an empty list that is not loaded.
  public init() {
    self.init([])
  }

  /// Creates a list with items to show before the first load.
  ///
  /// The list counts as loaded if the sequence is not empty.
  public init(_ initialData: some Sequence<Item>) {
    items = OrderedState(initialData)
    isLoaded = !items.isEmpty
  }

  // MARK: - Loading state

  /// The loading state of the list as a whole.
  public var loadingState: LoadingState {
    if let load, load.kind != .next { return .loading }
    if error != nil, !errorIsAtEnd { return .error }
    return isLoaded ? .loaded : .initialized
  }

  /// The loading state of the next page.
  public var endState: EndState {
    if load?.kind == .next { return .loading }
    if error != nil, errorIsAtEnd { return .error }
    return nextPage == nil ? .reachedEnd : .idle
  }

  /// A Boolean value that indicates whether the list or a page is being loaded.
  public var isLoading: Bool { load != nil }

  /// A Boolean value that indicates whether another page may exist and no load is running.
  @inlinable public var canFetchNext: Bool { load == nil && nextPage != nil }

  /// The number of loaded pages.
  public var currentPage: Int { lastPage.map { $0.position.number + 1 } ?? 0 }

  /// The number of items in all pages, or `nil` if the server did not return the number.
  @inlinable public var total: Int? { lastPage?.total }

  /// A Boolean value that indicates whether the list has unconfirmed edits.
  public var hasUnconfirmedChanges: Bool { !edits.isEmpty }

  /// Returns a Boolean value that indicates whether the item with an id has unconfirmed edits.
  public func isUnconfirmed(_ id: Item.ID) -> Bool { edits.concern(id) }

  /// Returns a Boolean value that indicates whether the list should be loaded.
  ///
  /// A list should be loaded if it is not loaded, failed to load, was invalidated, or has
  /// expired.
  ///
  /// - Parameters:
  ///   - now: The current time of the clock that the store uses for asynchronous work.
  ///   - lifetime: The time after which the list expires. If the value is `nil`, the list never
  ///     expires.
  public func isStale(at now: Duration, lifetime: Duration?) -> Bool {
    guard isLoaded, !isInvalidated, loadingState != .error else { return true }
    guard let lifetime else { return false }
    // The age of initial data is unknown.
    return loadedAt.map { now - $0 >= lifetime } ?? true
  }

  /// Returns a Boolean value that indicates whether an item is among the last `distance` items.
  ///
  /// The method is O(log n) for n items.
  @inlinable
  public func isNearEnd(_ id: Item.ID, within distance: Int) -> Bool {
    items.position(of: id).map { $0 >= items.count - distance } ?? false
  }
}

extension ListState: Equatable where Item: Equatable {}

/// The loading state of a list or an item as a whole.
///
/// ```swift
/// switch list.loadingState {
/// case .initialized: showNothing()
/// case .loading where list.items.isEmpty: showSpinner()
/// case .error: show(list.error)
/// default: show(list.items)
/// }
/// ```
public enum LoadingState: Hashable, Sendable, Codable {
  /// The list or item has not been loaded, or its first load was canceled.
  case initialized
  /// The list or item is being loaded, and may contain older content.
  case loading
  /// The list or item was loaded.
  case loaded
  /// The last load failed, and the list or item may contain older content.
  case error
}

/// The loading state of the next page of a list.
public enum EndState: Hashable, Sendable, Codable {
  /// Another page may exist, but is not being loaded.
  case idle
  /// The next page is being loaded.
  case loading
  /// The next page could not be loaded, and can be requested again.
  case error
  /// The list has no more pages.
  case reachedEnd
}

// The encoded form contains the items and the progress of the pagination, but no running load. A
// decoded list is invalidated, because its load time was measured by the clock of another
// process.

extension ListState: Codable where Item: Codable {
  private enum CodingKeys: String, CodingKey {
    case items, isLoaded, lastPage, nextPage
  }

  /// Creates a list from its encoded form.
  ///
  /// If the encoded list was loaded, the new list is invalidated, so that
  /// ``ListSlice/loadIfNeeded`` refreshes the new list.
  ///
  /// - Throws: An error that the decoder throws.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    items = try container.decode(OrderedState<Item>.self, forKey: .items)
    isLoaded = try container.decode(Bool.self, forKey: .isLoaded)
    lastPage = try container.decodeIfPresent(LoadedPage.self, forKey: .lastPage)
    nextPage = try container.decodeIfPresent(PagePosition.self, forKey: .nextPage)
    isInvalidated = isLoaded
  }

  /// Encodes the list, with unconfirmed edits applied to its items.
  ///
  /// - Throws: An error that the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(items, forKey: .items)
    try container.encode(isLoaded, forKey: .isLoaded)
    try container.encodeIfPresent(lastPage, forKey: .lastPage)
    try container.encodeIfPresent(nextPage, forKey: .nextPage)
  }
}
