/// Changes lists of entities in one way: in the order in which entities come, or sorted after every change.
///
/// ```swift
/// let books = EntityAdapter<Book>(sortedBy: { $0.title < $1.title })
///
/// books.add(book, to: &state.books)
/// books.update("123", in: &state.books) { $0.title = "Emma" }
/// ```
///
/// It is a value without a state of its own, so one constant serves all lists of a type. One without a sort
/// order does what the list's operations of the same names do. One with a sort order expects lists that it
/// alone has changed: give those that come from elsewhere to ``sort(_:)`` first. Entities that are equal in
/// the order stand in the order in which they came.
///
/// Known ids, unknown ones and duplicates mean what they do for an ``OrderedState``. Adding, changing and
/// removing k of n entities costs O(k log² n).
///
/// The idea comes from Redux Toolkit's `createEntityAdapter`.
public struct EntityAdapter<Entity: Identifiable>: Sendable {
  /// Whether the first of two entities stands before the second; `nil` for the order in which they come.
  public let areInIncreasingOrder: (@Sendable (Entity, Entity) -> Bool)?

  /// Creates an adapter that keeps entities in the order in which they come.
  @inlinable
  public init() {
    areInIncreasingOrder = nil
  }

  /// Creates an adapter that keeps entities sorted.
  ///
  /// - Parameter areInIncreasingOrder: Whether the first of two entities stands before the second.
  @inlinable
  public init(sortedBy areInIncreasingOrder: @escaping @Sendable (Entity, Entity) -> Bool) {
    self.areInIncreasingOrder = areInIncreasingOrder
  }

  /// A list of entities as this adapter keeps them; of several with the same id the last one stands.
  ///
  /// O(n log n).
  @inlinable
  public func list(of entities: some Sequence<Entity>) -> OrderedState<Entity> {
    var list = OrderedState(entities)
    sort(&list)
    return list
  }

  /// Puts a list in this adapter's order.
  ///
  /// O(n log n), and O(n) if it is in it already; nothing without a sort order.
  @inlinable
  public func sort(_ list: inout OrderedState<Entity>) {
    if let areInIncreasingOrder { list.sort(by: areInIncreasingOrder) }
  }
}
