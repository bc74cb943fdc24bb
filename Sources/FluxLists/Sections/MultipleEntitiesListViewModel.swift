import FluxAsync
public import FluxCore
public import Observation

/// One list of sections that come from several lists, of whatever items.
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
/// The lists are flushed, reloaded and refreshed together. They are loaded side by side, and each fails
/// alone: the others are loaded all the same, and what went wrong is in its own sections. RepositoryList has
/// left this to be built.
@MainActor
open class MultipleEntitiesListViewModel {
  /// The lists, in the order in which their sections stand.
  public let lists: [any SectionsConvertibleListViewModel]

  /// Creates the list of several lists.
  public init(_ lists: [any SectionsConvertibleListViewModel]) {
    self.lists = lists
  }

  /// Creates the list of several lists.
  public convenience init(_ lists: any SectionsConvertibleListViewModel...) {
    self.init(lists)
  }

  // MARK: - The sections

  /// The sections of all lists; who observes them hears when one of the lists changes.
  public var sections: [any ListSection] { lists.flatMap(\.anySections) }

  /// Whether any of the lists is being loaded.
  public var isLoading: Bool { lists.contains(where: \.isLoading) }

  /// Why the last loads of the lists were of no use, list by list; `nil` where there is no error.
  public var errors: [ListFailure?] { lists.map(\.error) }

  /// The sections now, and newer ones, as an asynchronous sequence; who is slow gets the newest.
  ///
  /// It does not keep the lists alive, and ends with them.
  public var sectionsPublisher: AsyncStream<[any ListSection]> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let changes = lists.map(\.changes)
      let following = Task { [weak self] in
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

  /// Calls a closure on the main actor with the sections now, and each time that one of the lists has
  /// changed.
  ///
  /// - Returns: The tokens that keep the subscription, one for each list.
  public func subscribe(_ receive: @escaping @MainActor ([any ListSection]) -> Void) -> [SubscriptionToken] {
    receive(sections)
    return lists.map { list in
      list.onChange { [weak self] in
        if let self { receive(sections) }
      }
    }
  }

  // MARK: - Loading

  /// Erases all lists, and cancels what loads them.
  open func flush() {
    for list in lists { list.flush() }
  }

  /// Erases all lists, and loads them from their beginnings, side by side.
  ///
  /// - Throws: When all are done, what went wrong with the first list with which something did.
  open func reload() async throws {
    try await each { try await $0.reload() }
  }

  /// Loads all lists from their beginnings, side by side, and shows what there is of each until then, or if
  /// it fails.
  ///
  /// - Throws: When all are done, what went wrong with the first list with which something did.
  open func refresh() async throws {
    try await each { try await $0.refresh() }
  }

  // MARK: - Side by side

  private typealias Load =
    @MainActor @Sendable (any SectionsConvertibleListViewModel) async throws -> Void

  private func each(_ load: @escaping Load) async throws {
    let failures = await Self.failures(of: lists, load)
    if let first = failures.compactMap(\.self).first { throw first }
  }

  /// Loads several lists, and gives what went wrong with each.
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

  /// Does something for each change of several lists, until it says that it is enough.
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
  /// The sections, whatever their type.
  fileprivate var anySections: [any ListSection] { sections }
}
