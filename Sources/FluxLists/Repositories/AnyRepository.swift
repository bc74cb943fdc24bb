/// The source of one value, such as a server, a file, or a database.
///
/// ```swift
/// struct ProfileRepository: AnyRepository {
///   func fetch() async throws -> Profile? { try await service.profile() }
/// }
/// ```
///
/// ``ItemViewModel`` and ``ItemSlice`` load a value from a repository. The methods of a
/// repository can be called from any thread. The name of the protocol comes from RepositoryList.
public protocol AnyRepository<ItemType>: Sendable {
  /// The type of the value.
  associatedtype ItemType: Sendable

  /// Returns a Boolean value that indicates whether the value should be fetched now.
  ///
  /// The default is `true`.
  func shouldFetch() -> Bool

  /// Fetches the value, or returns `nil` if there is no value.
  ///
  /// The method runs in a task that is canceled when the value is no longer needed.
  func fetch() async throws -> ItemType?
}

extension AnyRepository {
  /// Returns `true`.
  public func shouldFetch() -> Bool { true }
}
