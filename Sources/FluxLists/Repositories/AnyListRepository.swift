/// The source of the items of a list, which fetches all items together.
///
/// ```swift
/// final class BooksRepository: AnyListRepository {
///   func fetch() async throws -> [Book] { try await service.books() }
/// }
/// ```
///
/// The methods of a repository are called from any thread. The name comes from RepositoryList.
public protocol AnyListRepository<ItemType>: Sendable {
  /// The type of the items.
  associatedtype ItemType: Hashable & Identifiable & Sendable where ItemType.ID: Sendable

  /// Returns a Boolean value that indicates whether the list should be fetched now.
  ///
  /// The default is `true`. If the method returns `false`, the load does not begin, and the list
  /// does not change.
  func shouldFetch() -> Bool

  /// Fetches the items of the list, or the items of one page of a paginated list.
  ///
  /// The method runs in a task that is canceled when the items are no longer needed.
  func fetch() async throws -> [ItemType]
}

extension AnyListRepository {
  /// Returns `true`.
  public func shouldFetch() -> Bool { true }
}
