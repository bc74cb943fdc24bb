/// A source that fetches all items of a list together.
///
/// ```swift
/// final class BooksRepository: AnyListRepository {
///   func fetch() async throws -> [Book] { try await service.books() }
/// }
/// ```
///
/// The methods of a repository can be called from any thread. The name of the protocol comes
/// from RepositoryList.
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

/// A repository that saves the edits of its list.
///
/// ``ListSlice/insert(_:at:in:)``, ``ListSlice/update(_:in:_:)``, and ``ListSlice/delete(_:in:)``
/// show an edit immediately, and then call the corresponding method of the repository. If the
/// repository method throws an error, the edit is rolled back.
public protocol AnyEditableListRepository<ItemType>: AnyListRepository {
  /// Saves a new item.
  ///
  /// - Returns: The saved item, which can have a different id.
  func insert(_ item: ItemType) async throws -> ItemType

  /// Saves a changed item.
  ///
  /// - Returns: The saved item.
  func update(_ item: ItemType) async throws -> ItemType

  /// Deletes an item.
  func delete(_ item: ItemType) async throws
}
