public import FluxCollections

/// A part of a list that is shown under a heading of its own.
///
/// ```swift
/// struct BooksSection: ListSection {
///   let id: String
///   let items: [Book]
///   let loadingState: LoadingState
///   let error: String?
/// }
/// ```
///
/// The name is RepositoryList's.
public protocol ListSection: Hashable, Sendable {
  /// The items of the section, such as an array.
  associatedtype Items: RandomAccessCollection & Sendable
  where Items.Element: Hashable & Identifiable & Sendable

  /// What tells it from other sections of the list.
  var id: String { get }
  /// The items of the section, in their order.
  var items: Items { get }
  /// What is known of the section.
  var loadingState: LoadingState { get }
  /// What went wrong with it, in words.
  var error: String? { get }
}

/// A section that is computed of a list by a ``ListSectioning``.
public struct ItemSection<Item: Hashable & Identifiable & Sendable>: ListSection where Item.ID: Sendable {
  /// What tells it from other sections of the list.
  public var id: String
  /// The items of the section, in their order.
  public var items: OrderedState<Item>
  /// What is known of the section.
  public var loadingState: LoadingState
  /// What went wrong with it, in words.
  public var error: String?

  /// Creates a section.
  public init(
    id: String, items: OrderedState<Item> = [], loadingState: LoadingState = .loaded, error: String? = nil
  ) {
    self.id = id
    self.items = items
    self.loadingState = loadingState
    self.error = error
  }
}
