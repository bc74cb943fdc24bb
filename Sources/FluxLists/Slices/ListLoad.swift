public import FluxAsync
public import FluxCore

/// An action that loads a list.
///
/// The properties ``ListSlice/reload``, ``ListSlice/refresh``, and ``ListSlice/fetchNext``
/// return this action. The action is an ``/FluxAsync/AsyncRequest``, which is pending until it
/// is fulfilled with a page or rejected. The reducer of the slice handles the events of the
/// request, and changes the list.
public struct ListLoad<Item: Identifiable & Sendable>: AsyncRequest where Item.ID: Sendable {
  /// The condition under which the next page is loaded.
  ///
  /// The id is stored indirectly, so that the layout of a load does not depend on the type of the
  /// items. Code that is not specialized can therefore copy a load without looking up its type.
  @usableFromInline
  enum Occasion: Sendable {
    case always
    /// The next page is loaded only if the item with this id is near the end of the list.
    indirect case shown(Item.ID)
  }

  @usableFromInline let source: ListSource<Item>
  /// The kind of load.
  public let kind: ListLoadKind
  @usableFromInline let occasion: Occasion

  @inlinable
  init(_ kind: ListLoadKind, of source: ListSource<Item>, _ occasion: Occasion = .always) {
    self.source = source
    self.kind = kind
    self.occasion = occasion
  }

  /// The id of the list that the action loads.
  @inlinable public var list: ListID { source.id }

  /// The policy from the list's options, which applies each time the list is loaded.
  ///
  /// Loading the next page never cancels another load.
  public var policy: WorkPolicy { kind == .next ? source.policyOfNextPage : source.policy }

  /// Returns a Boolean value that indicates whether there is anything to load.
  ///
  /// If the action loads the next page, it is not wanted while the list is being loaded, or after
  /// the last page has been loaded.
  public func isWanted(in state: any FluxState) -> Bool {
    source.isDue(self, state)
  }

  /// Returns a Boolean value that indicates whether there is anything to load, as
  /// ``isWanted(in:)`` does.
  public func _isWanted(in context: ActionContext) -> Bool {
    context.state.map(isWanted) ?? false
  }

  // Without inlining, the caller copies the list.
  @inlinable @inline(__always)
  func isDue(in list: ListState<Item>) -> Bool {
    guard kind == .next else { return source.repository.shouldFetch(.first) }
    guard list.canFetchNext, let position = list.nextPage else { return false }
    if case .shown(let id) = occasion {
      // Scrolling does not repeat a failed load. The view shows the error, and the user can
      // retry.
      guard list.error == nil, list.isNearEnd(id, within: source.options.prefetchDistance) else {
        return false
      }
    }
    return source.repository.shouldFetch(position)
  }

  /// Fetches a page from the repository.
  public func perform(in context: RequestContext<any FluxState>) async throws -> ListAnswer<Item> {
    let fetch = PageFetch(id: context.id, state: context.state, services: context.services) { context.time }
    return try await source.perform(self, fetch).event.knownToBe(Fulfilled.self).value
  }

  /// Fetches a page from the repository.
  ///
  /// The default implementation would create a proxy for a state of any type, which a load does not
  /// use.
  nonisolated(nonsending) public func _perform(
    in context: TaskContext<Void>, as id: RequestID
  ) async throws -> (event: any RequestEvent, value: any Sendable) {
    let fetch = PageFetch(id: id, state: try context.storeState, services: context.services) { context.time }
    return try await source.perform(self, fetch)
  }

  /// Prepares the load, and returns a closure that starts the load.
  public func _startWork(in context: ActionContext) -> WorkStart? {
    source.start(self, context)
  }

  /// Fetches a page from the repository.
  ///
  /// - Parameters:
  ///   - position: The position of the page, or `nil` if the list has no such page.
  ///   - total: The number of items in all pages, if it is known.
  ///   - services: The services that the repository can look up.
  ///   - time: A closure that returns the current time.
  @inlinable
  nonisolated(nonsending) func fetchPage(
    at position: PagePosition?, of total: Int?, _ services: Services, _ time: () -> Duration
  ) async throws -> ListAnswer<Item> {
    // The next page can be missing if another action has changed the list since `isWanted(in:)`
    // was called.
    guard let position else { throw ListFailure(.unwanted) }
    let page = try await services.callingRepository { try await source.repository.fetch(position) }
    let loaded = LoadedPage(page, at: position, of: total)
    return ListAnswer(page.items, page: loaded, nextPage: source.repository.next(loaded), at: time())
  }
}

extension ListLoad: RequestThatMayBeDropped {
  /// A Boolean value that indicates whether the request counts as unwanted, instead of failed,
  /// when its policy drops it.
  ///
  /// If a request to load the next page is dropped, no error is reported, because another load is
  /// already running.
  package var isUnwantedWhenDropped: Bool { kind == .next }
}

extension ListLoad: Equatable {
  /// Returns a Boolean value that indicates whether two actions load the same list with the same
  /// kind of load.
  public static func == (first: ListLoad, second: ListLoad) -> Bool {
    first.list == second.list && first.kind == second.kind
  }
}

extension ListLoad: CustomStringConvertible {
  /// The id of the list and the kind of load, as in `Books.reload`.
  public var description: String { "\(list).\(kind)" }
}

/// A kind of load for a list.
public enum ListLoadKind: Hashable, Sendable {
  /// Erases the list and loads it from its beginning.
  case reload
  /// Loads the list from its beginning, and keeps the current items until the load succeeds.
  case refresh
  /// Loads the next page.
  case next
}

extension ListLoadKind: CustomStringConvertible {
  /// The name of the kind, for logs.
  public var description: String {
    switch self {
    case .reload: "reload"
    case .refresh: "refresh"
    case .next: "fetchNext"
    }
  }
}

/// The result of a load: a page, and the position of the next page.
public struct ListAnswer<Item: Sendable>: Sendable {
  /// The items of the page.
  public var items: [Item]
  /// The description of the page.
  public var page: LoadedPage
  /// The position of the next page, or `nil` if this page is the last.
  public var nextPage: PagePosition?
  /// The time at which the page was received, as measured by the clock that the store uses for
  /// asynchronous work.
  public var time: Duration

  /// Creates a result, for use in tests of reducers.
  @inlinable
  public init(_ items: [Item], page: LoadedPage, nextPage: PagePosition? = nil, at time: Duration) {
    self.items = items
    self.page = page
    self.nextPage = nextPage
    self.time = time
  }
}

extension ListAnswer: Equatable where Item: Equatable {}

extension ListAnswer: CustomStringConvertible {
  /// The number of items and the position of the page, for logs.
  public var description: String {
    "\(items.count) of \(page.position)\(nextPage == nil ? ", the last" : "")"
  }
}
