/// Where the items of a list come from that is too long to be fetched at once.
///
/// ```swift
/// final class BooksRepository: AnyPaginatedListRepository {
///   let paginationStrategy = LimitOffsetPaginationStrategy(limit: 20)
///
///   func fetch() async throws -> [Book] {
///     try await service.books(limit: paginationStrategy.limit, offset: paginationStrategy.offset)
///   }
/// }
/// ```
///
/// Inside `fetch()` the strategy stands at the page that is asked for, whatever other loads are on their way;
/// elsewhere it says how far the view model's list has got. The name is RepositoryList's.
public protocol AnyPaginatedListRepository<ItemType>: AnyListRepository {
  /// How it counts pages.
  associatedtype Strategy: PaginationStrategy

  /// How pages are asked for, and how the end is known.
  var paginationStrategy: Strategy { get }

  /// Fetches a page; by default by `fetch()`, with the strategy standing at the page.
  ///
  /// - Parameter position: Where the page begins.
  func fetchPage(at position: PagePosition) async throws -> ListPage<ItemType>
}

extension AnyPaginatedListRepository {
  /// There is a point until the last page is loaded.
  public func shouldFetch() -> Bool { !paginationStrategy.isLastPageLoaded }

  /// Fetches a page by `fetch()`.
  public func fetchPage(at position: PagePosition) async throws -> ListPage<ItemType> {
    let page = PageInFlight(at: position)
    let items = try await PageInFlight.$current.withValue(page) { try await fetch() }
    return page.with(items)
  }

  /// How many pages of the list are loaded; inside `fetch()`, before the one that is asked for.
  public var currentPage: Int { paginationStrategy.currentPage }
}

/// A repository that is given the page to fetch, and answers with what the server says of it.
///
/// ```swift
/// struct Notes: AnyPageRepository {
///   let paginationStrategy = CursorPaginationStrategy()
///
///   func fetchPage(at position: PagePosition) async throws -> ListPage<Note> {
///     let answer = try await service.notes(after: position.cursor)
///     return ListPage(answer.notes, total: answer.total, nextCursor: answer.next)
///   }
/// }
/// ```
public protocol AnyPageRepository<ItemType>: AnyPaginatedListRepository {
  // Said again, so that it is inferred from the page.
  /// What the list is of.
  associatedtype ItemType

  /// Fetches a page.
  ///
  /// - Parameter position: Where the page begins.
  func fetchPage(at position: PagePosition) async throws -> ListPage<ItemType>
}

extension AnyPageRepository {
  // Without it, the default of each of the two methods would be the other.
  /// Is no default: a page repository has to say how it fetches a page.
  @available(*, unavailable, message: "A page repository has to say how it fetches a page: fetchPage(at:).")
  public func fetchPage(at position: PagePosition) async throws -> ListPage<ItemType> { ListPage([]) }

  /// Fetches the page at which the strategy stands.
  public func fetch() async throws -> [ItemType] {
    try await fetchPage(at: paginationStrategy.position).items
  }
}
