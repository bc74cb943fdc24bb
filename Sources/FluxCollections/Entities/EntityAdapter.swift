/// A set of operations on lists of entities, which keeps the lists in insertion order or in a
/// sort order.
///
/// ```swift
/// let books = EntityAdapter<Book>(sortedBy: { $0.title < $1.title })
///
/// books.add(book, to: &state.books)
/// books.update("123", in: &state.books) { $0.title = "Emma" }
/// ```
///
/// An adapter is a value without mutable state, so you can use a single constant for all lists
/// of a type. If an adapter has no sort order, its operations do the same as the list's
/// operations with the same names. If an adapter has a sort order, change a list only through
/// the adapter. If a list comes from another source, pass the list to ``sort(_:)`` before you
/// use it. Entities that are equal in the sort order stay in the order in which they were added.
///
/// Known ids, unknown ids, and duplicates are handled as in an ``OrderedState``. Adding,
/// changing, or removing k of n entities takes O(k log² n) time.
///
/// The idea comes from Redux Toolkit's `createEntityAdapter`.
public struct EntityAdapter<Entity: Identifiable>: Sendable {
  /// A closure that returns whether the first of two entities belongs before the second.
  ///
  /// If the value is `nil`, the adapter keeps entities in insertion order.
  public let areInIncreasingOrder: (@Sendable (Entity, Entity) -> Bool)?

  /// Creates an adapter that keeps entities in insertion order.
  @inlinable
  public init() {
    areInIncreasingOrder = nil
  }

  /// Creates an adapter that keeps entities sorted.
  ///
  /// - Parameter areInIncreasingOrder: A closure that returns whether the first of two entities
  ///   belongs before the second.
  @inlinable
  public init(sortedBy areInIncreasingOrder: @escaping @Sendable (Entity, Entity) -> Bool) {
    self.areInIncreasingOrder = areInIncreasingOrder
  }

  /// Creates a list of entities in the order of this adapter.
  ///
  /// If several entities have the same id, the list keeps the last of them. This method takes
  /// O(n log n) time for n entities.
  @inlinable
  public func list(of entities: some Sequence<Entity>) -> OrderedState<Entity> {
    var list = OrderedState(entities)
    sort(&list)
    return list
  }

  /// Sorts a list in the order of this adapter.
  ///
  /// If the adapter has no sort order, this method does nothing. The method takes O(n log n)
  /// time for n entities, or O(n) time if the list is already sorted.
  @inlinable
  public func sort(_ list: inout OrderedState<Entity>) {
    if let areInIncreasingOrder { list.sort(by: areInIncreasingOrder) }
  }
}
