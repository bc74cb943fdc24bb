public import FluxAsync
public import FluxCore

/// A list that is divided into sections, and that can be shown alone or as part of a
/// ``MultipleEntitiesListViewModel``.
///
/// ```swift
/// final class BooksViewModel: PaginatedListViewModel<BooksRepository>, SectionsConvertibleListViewModel {
///   var sections: [BooksSection] { [BooksSection(id: "Books", items: Array(data), …)] }
/// }
/// ```
///
/// A subclass of ``ListViewModel`` only needs to add ``sections``. ``ListSections`` is a
/// conforming type that divides the list of a model into sections. The name of the protocol comes
/// from RepositoryList.
@MainActor
public protocol SectionsConvertibleListViewModel: AnyObject, Sendable {
  /// The type of the sections.
  associatedtype SectionType: ListSection

  /// The current sections.
  var sections: [SectionType] { get }
  /// A Boolean value that indicates whether the list or a page is being loaded.
  var isLoading: Bool { get }
  /// The error of the last load, or `nil` if the load did not fail.
  var error: ListFailure? { get }

  /// Erases the list, and cancels its load.
  func flush()
  /// Erases the list and loads it from its beginning.
  func reload() async throws
  /// Loads the list from its beginning.
  ///
  /// The list shows its current items until the load succeeds, and keeps them if the load fails.
  func refresh() async throws

  /// A stream of the versions of the list.
  nonisolated var changes: StateStream<ListVersion> { get }
  /// Calls a closure on the main actor after each change to the list.
  func onChange(_ act: @escaping @MainActor () -> Void) -> SubscriptionToken
}

extension SectionsConvertibleListViewModel {
  /// A sequence of the current sections, followed by newer sections.
  ///
  /// A slow consumer receives only the newest sections. The sequence does not retain the list,
  /// and ends when the list is released. The name of the property comes from a publisher in
  /// RepositoryList.
  public var sectionsPublisher: AsyncStream<[any ListSection]> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let following = startOnMainActor { [weak self, changes] in
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
  /// A stream of the versions of the list.
  public nonisolated var changes: StateStream<ListVersion> { model.changes }

  /// Calls a closure on the main actor after each change to the list.
  ///
  /// - Returns: The token that keeps the subscription active.
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
  /// A Boolean value that indicates whether the list or a page is being loaded.
  public var isLoading: Bool { model.isLoading }
  /// The error of the last load, or `nil` if the load did not fail.
  public var error: ListFailure? { model.error }
  /// A stream of the versions of the list.
  public var changes: StateStream<ListVersion> { model.changes }

  /// Erases the list, and cancels its load.
  public func flush() {
    model.flush()
  }

  /// Erases the list and loads it from its beginning.
  public func reload() async throws {
    try await model.reload()
  }

  /// Loads the list from its beginning.
  ///
  /// The list shows its current items until the load succeeds, and keeps them if the load fails.
  public func refresh() async throws {
    try await model.refresh()
  }

  /// Calls a closure on the main actor after each change to the list.
  @MainActor
  public func onChange(_ act: @escaping @MainActor () -> Void) -> SubscriptionToken {
    model.onChange(act)
  }
}
