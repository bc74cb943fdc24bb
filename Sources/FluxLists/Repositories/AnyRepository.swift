/// Where one value comes from: a server, a file, a database.
///
/// ```swift
/// struct ProfileRepository: AnyRepository {
///   func fetch() async throws -> Profile? { try await service.profile() }
/// }
/// ```
///
/// ``ItemViewModel`` and ``ItemSlice`` load from one. Its methods are called from any thread. The name is
/// RepositoryList's.
public protocol AnyRepository<ItemType>: Sendable {
  /// What it fetches.
  associatedtype ItemType: Sendable

  /// Whether there is any point in fetching now; by default there is.
  func shouldFetch() -> Bool

  /// Fetches the value; `nil` when there is none.
  ///
  /// It runs in a task that is cancelled when nobody wants the answer any more.
  func fetch() async throws -> ItemType?
}

extension AnyRepository {
  /// There is.
  public func shouldFetch() -> Bool { true }
}
