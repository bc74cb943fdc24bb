import FluxAsync
public import FluxCore
public import Observation

/// A view model that combines the sections of several lists, even if the lists contain items of
/// different types.
///
/// ```swift
/// let library = MultipleEntitiesListViewModel(
///   ListSections(of: books.model, by: .chunks(of: 5), prefix: "Books "),
///   ListSections(of: songs.model, by: .whole("Songs")))
/// try await library.reload()
///
/// for section in library.sections { … }
/// ```
///
/// The lists are erased, reloaded, and refreshed together, and their loads run at the same time.
/// If one list fails to load, the other lists are still loaded, and the sections of the failed
/// list contain the error. The name of the class comes from a type that RepositoryList plans but
/// does not implement.
@MainActor
open class MultipleEntitiesListViewModel {
  /// The lists, in the order of their sections.
  public let lists: [any SectionsConvertibleListViewModel]

  /// Creates a view model from an array of lists.
  public init(_ lists: [any SectionsConvertibleListViewModel]) {
    self.lists = lists
  }

  /// Creates a view model from several lists.
  public convenience init(_ lists: any SectionsConvertibleListViewModel...) {
    self.init(lists)
  }

  // MARK: - The sections

  /// The sections of all lists.
  ///
  /// The `Observation` framework tracks this property, and notifies observers when a list
  /// changes.
  public var sections: [any ListSection] { lists.flatMap(\.anySections) }

  /// A Boolean value that indicates whether any of the lists is being loaded.
  public var isLoading: Bool { lists.contains(where: \.isLoading) }

  /// For each list, the error of the last load, or `nil` if the list has no error.
  public var errors: [ListFailure?] { lists.map(\.error) }

  /// A sequence of the current sections, followed by newer sections.
  ///
  /// A slow consumer receives only the newest sections. The sequence does not retain the lists,
  /// and ends when the lists are released.
  public var sectionsPublisher: AsyncStream<[any ListSection]> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let changes = lists.map(\.changes)
      let following = startOnMainActor { [weak self] in
        await Self.following(changes) { [weak self] in
          guard let sections = await self?.sections else { return false }
          continuation.yield(sections)
          return true
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in following.cancel() }
    }
  }

  /// Calls a closure on the main actor with the current sections, and again after each change to
  /// one of the lists.
  ///
  /// - Returns: The tokens that keep the subscriptions active, one for each list.
  public func subscribe(_ receive: @escaping @MainActor ([any ListSection]) -> Void) -> [SubscriptionToken] {
    receive(sections)
    return lists.map { list in
      list.onChange { [weak self] in
        if let self { receive(sections) }
      }
    }
  }

  // MARK: - Loading

  /// Erases all lists, and cancels their loads.
  open func flush() {
    for list in lists { list.flush() }
  }

  /// Erases all lists, and concurrently loads each list from its beginning.
  ///
  /// - Throws: The error of the first list that failed to load, in the order of ``lists``. The
  ///   method throws after all loads have ended.
  open func reload() async throws {
    try await each { try await $0.reload() }
  }

  /// Concurrently loads each list from its beginning.
  ///
  /// Each list shows its current items until the load succeeds, and keeps them if the load
  /// fails.
  ///
  /// - Throws: The error of the first list that failed to load, in the order of ``lists``. The
  ///   method throws after all loads have ended.
  open func refresh() async throws {
    try await each { try await $0.refresh() }
  }

  // MARK: - Concurrent loads

  private typealias Load =
    @MainActor @Sendable (any SectionsConvertibleListViewModel) async throws -> Void

  private func each(_ load: @escaping Load) async throws {
    let failures = await Self.failures(of: lists, load)
    if let first = failures.compactMap(\.self).first { throw first }
  }

  /// Loads several lists, and returns the error of each list.
  private nonisolated static func failures(
    of lists: [any SectionsConvertibleListViewModel], _ load: @escaping Load
  ) async -> [(any Error)?] {
    await withTaskGroup(of: (Int, (any Error)?).self) { group in
      for (index, list) in lists.enumerated() {
        group.addTask { (index, await failure(of: list, load)) }
      }
      var failures = [(any Error)?](repeating: nil, count: lists.count)
      for await (index, failure) in group { failures[index] = failure }
      return failures
    }
  }

  private nonisolated static func failure(
    of list: any SectionsConvertibleListViewModel, _ load: Load
  ) async -> (any Error)? {
    do {
      try await load(list)
      return nil
    } catch {
      return error
    }
  }

  /// Calls a closure for each change to any of several lists, until the closure returns `false`.
  private nonisolated static func following(
    _ changes: [StateStream<ListVersion>], _ act: @escaping @Sendable () async -> Bool
  ) async {
    await withTaskGroup(of: Void.self) { group in
      for changes in changes {
        group.addTask {
          for await _ in changes {
            guard await act() else { break }
          }
        }
      }
    }
  }
}

extension MultipleEntitiesListViewModel: Observable {}

extension SectionsConvertibleListViewModel {
  /// The sections as an array of existential values.
  fileprivate var anySections: [any ListSection] { sections }
}
