import FluxAsync
import FluxCore

/// What the actions of a list carry: its name, where it stands in the state, and how it is loaded.
///
/// A ``ListSlice`` makes one.
struct ListSource<Item: Identifiable & Sendable>: Sendable where Item.ID: Sendable {
  let id: ListID
  let options: ListOptions<Item>
  let repository: ListLoading<Item>
  /// The list in a store's state; `nil` in the state of another store.
  let read: @Sendable (any FluxState) -> ListState<Item>?

  /// The policy of loads: one kind for all of a list.
  var policy: WorkPolicy { options.policy.shared(by: id) }

  var cancel: CancelWork { CancelWork(id: id, because: "the list was told to stop loading") }
}

/// A repository of a list, whatever its type, as closures.
struct ListLoading<Item: Sendable>: Sendable {
  /// Whether there is any point in asking for a page.
  let shouldFetch: @Sendable (PagePosition) -> Bool
  let fetch: @Sendable (PagePosition) async throws -> ListPage<Item>
  /// Where the page after one begins.
  let next: @Sendable (LoadedPage) -> PagePosition?
  /// Tells the repository how far the list has got.
  let follow: @Sendable (_ next: PagePosition, _ hasReachedEnd: Bool) -> Void

  /// A list that comes in pages if its repository says so, and else all at once.
  init(_ repository: some AnyListRepository<Item>) {
    if let paginated = repository as? any AnyPaginatedListRepository<Item> {
      self.init(pagesOf: paginated)
    } else {
      self.init(allOf: repository)
    }
  }

  private init(allOf repository: some AnyListRepository<Item>) {
    shouldFetch = { _ in repository.shouldFetch() }
    fetch = { _ in ListPage(try await repository.fetch()) }
    next = { _ in nil }
    follow = { _, _ in }
  }

  private init(pagesOf repository: some AnyPaginatedListRepository<Item>) {
    shouldFetch = { position in
      PageInFlight.$current.withValue(PageInFlight(at: position)) { repository.shouldFetch() }
    }
    fetch = { position in try await repository.fetchPage(at: position) }
    next = { page in repository.paginationStrategy.nextPage(after: page) }
    follow = { position, hasReachedEnd in
      repository.paginationStrategy.standing.follow(next: position, hasReachedEnd: hasReachedEnd)
    }
  }

  /// The list as closures give it.
  init(
    strategy: (any PaginationStrategy)?,
    fetch: @escaping @Sendable (PagePosition) async throws -> ListPage<Item>
  ) {
    shouldFetch = { _ in true }
    self.fetch = fetch
    next = { page in strategy?.nextPage(after: page) }
    follow = { position, hasReachedEnd in
      strategy?.standing.follow(next: position, hasReachedEnd: hasReachedEnd)
    }
  }
}
