/// The methods of a list's repository, stored as closures that hide the type of the repository.
@usableFromInline
struct ListLoading<Item: Sendable>: Sendable {
  /// A closure that returns whether a page should be fetched.
  @usableFromInline let shouldFetch: @Sendable (PagePosition) -> Bool
  @usableFromInline let fetch: @Sendable (PagePosition) async throws -> ListPage<Item>
  /// A closure that returns the position after a loaded page, or `nil` after the last page.
  @usableFromInline let next: @Sendable (LoadedPage) -> PagePosition?
  /// A closure that reports the progress of the list to the repository.
  let follow: @Sendable (_ next: PagePosition, _ hasReachedEnd: Bool) -> Void

  /// Creates the closures from a repository.
  ///
  /// The list is loaded in pages if the repository is an ``AnyPaginatedListRepository``, and as
  /// a whole otherwise.
  @usableFromInline
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

  /// Creates the closures from a strategy and a fetch closure.
  @usableFromInline
  init(
    strategy: (any PaginationStrategy)?,
    fetch: @escaping @Sendable (PagePosition) async throws -> ListPage<Item>
  ) {
    shouldFetch = { _ in true }
    self.fetch = fetch
    if let strategy {
      next = { page in strategy.nextPage(after: page) }
      follow = { position, hasReachedEnd in
        strategy.standing.follow(next: position, hasReachedEnd: hasReachedEnd)
      }
    } else {
      next = { _ in nil }
      follow = { _, _ in }
    }
  }
}
