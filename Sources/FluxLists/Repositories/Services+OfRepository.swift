public import FluxCore

extension Services {
  /// The services for the repository that the current task calls.
  ///
  /// ```swift
  /// let books = ListSlice("Books", at: \AppState.books, from: ListRepository {
  ///   try await Services.ofRepository((any BookService).self).books()
  /// })
  /// ```
  ///
  /// The methods of a repository receive no context. While a store loads a list or an item, or
  /// sends an edit, this property contains the services of the store. The property is available
  /// in the methods of the repository, in the closures that fetch items or commit edits, and in
  /// the child tasks of these calls. The error of a failed look-up names the action that loads or
  /// edits. In all other code, the value contains no services.
  public static var ofRepository: Services { RepositoryServices.current ?? Services() }
}

/// The services for the repository that the current task calls.
enum RepositoryServices {
  @TaskLocal static var current: Services?
}

extension Services {
  /// Calls a method of a repository, which can look up these services.
  @usableFromInline
  nonisolated(nonsending) func callingRepository<Result: Sendable>(
    _ call: @Sendable () async throws -> Result
  ) async throws -> Result {
    try await RepositoryServices.$current.withValue(self, operation: call)
  }
}
