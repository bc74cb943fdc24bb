public import FluxCollections

/// A part of a list that is shown under its own heading.
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
/// The name of the protocol comes from RepositoryList.
public protocol ListSection: Hashable, Sendable {
  /// The type of the collection of items in the section, such as an array.
  associatedtype Items: RandomAccessCollection & Sendable
  where Items.Element: Hashable & Identifiable & Sendable

  /// The id of the section, unique in the list.
  var id: String { get }
  /// The ordered items of the section.
  var items: Items { get }
  /// The loading state of the section.
  var loadingState: LoadingState { get }
  /// A description of the error of the section.
  var error: String? { get }
}

/// A section of a list that is divided by a ``ListSectioning`` rule.
public struct ItemSection<Item: Hashable & Identifiable & Sendable>: ListSection where Item.ID: Sendable {
  /// The id of the section, unique in the list.
  public var id: String
  /// The ordered items of the section.
  public var items: OrderedState<Item>
  /// The loading state of the section.
  public var loadingState: LoadingState
  /// A description of the error of the section.
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
