/// Where the items of a list come from, all of them at once.
///
/// ```swift
/// final class BooksRepository: AnyListRepository {
///   func fetch() async throws -> [Book] { try await service.books() }
/// }
/// ```
///
/// Its methods are called from any thread. The name is RepositoryList's.
public protocol AnyListRepository<ItemType>: Sendable {
  /// What the list is of.
  associatedtype ItemType: Hashable & Identifiable & Sendable where ItemType.ID: Sendable

  /// Whether there is any point in fetching now; by default there is.
  ///
  /// A load that is not to fetch is not begun, and changes nothing.
  func shouldFetch() -> Bool

  /// Fetches the items, or for a list that comes in pages those of one page.
  ///
  /// It runs in a task that is cancelled when nobody wants the answer any more.
  func fetch() async throws -> [ItemType]
}

extension AnyListRepository {
  /// There is.
  public func shouldFetch() -> Bool { true }
}
