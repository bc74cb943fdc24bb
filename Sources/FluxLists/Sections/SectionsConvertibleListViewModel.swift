public import FluxAsync
public import FluxCore

/// A list that is shown in sections, alone or among others in a ``MultipleEntitiesListViewModel``.
///
/// ```swift
/// final class BooksViewModel: PaginatedListViewModel<BooksRepository>, SectionsConvertibleListViewModel {
///   var sections: [BooksSection] { [BooksSection(id: "Books", items: Array(data), …)] }
/// }
/// ```
///
/// A subclass of ``ListViewModel`` has all the rest. ``ListSections`` computes sections of what has changed.
/// The name is RepositoryList's.
@MainActor
public protocol SectionsConvertibleListViewModel: AnyObject, Sendable {
  /// What the list is divided into.
  associatedtype SectionType: ListSection

  /// The sections now.
  var sections: [SectionType] { get }
  /// Whether anything is being loaded.
  var isLoading: Bool { get }
  /// Why the last load was of no use.
  var error: ListFailure? { get }

  /// Erases the list, and cancels what loads it.
  func flush()
  /// Erases the list, and loads it from its beginning.
  func reload() async throws
  /// Loads the list from its beginning, and shows what there is until then, or if it fails.
  func refresh() async throws

  /// The versions of the list.
  nonisolated var changes: StateStream<ListVersion> { get }
  /// Calls a closure on the main actor each time that the list has changed.
  func onChange(_ act: @escaping @MainActor () -> Void) -> SubscriptionToken
}

extension SectionsConvertibleListViewModel {
  /// The sections now, and newer ones, as an asynchronous sequence; who is slow gets the newest.
  ///
  /// It does not keep the list alive, and ends with it. RepositoryList has a publisher of this name.
  public var sectionsPublisher: AsyncStream<[any ListSection]> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let following = Task { [weak self, changes] in
        for await _ in changes {
          guard let sections = self?.sections else { break }
          continuation.yield(sections)
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in following.cancel() }
    }
  }
}

extension ListViewModel {
  /// The versions of the list.
  public nonisolated var changes: StateStream<ListVersion> { model.changes }

  /// Calls a closure on the main actor each time that the list has changed.
  ///
  /// - Returns: The token that keeps the subscription.
  public func onChange(_ act: @escaping @MainActor () -> Void) -> SubscriptionToken {
    model.onChange(act)
  }
}

extension ListModel {
  @MainActor
  func onChange(_ act: @escaping @MainActor () -> Void) -> SubscriptionToken {
    proxy.subscribe(to: { ListVersion(of: $0) }, initial: false, onMain: { _ in act() })
  }
}

extension ListSections: SectionsConvertibleListViewModel {
  /// Whether anything is being loaded.
  public var isLoading: Bool { model.isLoading }
  /// Why the last load was of no use.
  public var error: ListFailure? { model.error }
  /// The versions of the list.
  public var changes: StateStream<ListVersion> { model.changes }

  /// Erases the list, and cancels what loads it.
  public func flush() {
    model.flush()
  }

  /// Erases the list, and loads it from its beginning.
  public func reload() async throws {
    try await model.reload()
  }

  /// Loads the list from its beginning, and shows what there is until then, or if it fails.
  public func refresh() async throws {
    try await model.refresh()
  }

  /// Calls a closure on the main actor each time that the list has changed.
  @MainActor
  public func onChange(_ act: @escaping @MainActor () -> Void) -> SubscriptionToken {
    model.onChange(act)
  }
}
