/// A list of elements in an order of their own, each of which is found by its id.
///
/// ```swift
/// struct AppState: FluxState {
///   var books = OrderedState<Book>()
/// }
///
/// state.books.append(book)
/// state.books["123"]?.title
/// state.books.move(from: indexSet, to: 0)
/// ```
///
/// It is a value, and a copy shares what neither of the two has changed: with an old version kept, by a
/// history or an observer, the next change copies a few small arrays and not the list. While nothing is
/// shared, elements change in place.
///
/// **The same id, unknown ids and positions out of range** may come from a server, and stop nothing:
/// - An id is in the list once. `append`, `prepend`, `insert` and the initialisers *place* an element: the
///   one with its id that was there before gives way. `add` leaves a known id as it is; `set` and `upsert`
///   change it where it stands.
/// - What an unknown id would have changed stays as it is; the result says that it was not there.
/// - A position to read from that is out of range gives `nil`, by ``element(at:)``; one to remove or move
///   from is passed over; one to insert or move to is brought to the nearest end. Only the subscript by
///   position stops the program, as that of `Array`.
///
/// **Cost**, for n elements: finding by id is O(1); by position, and the position of an id, O(log n). Adding,
/// changing and removing an element is O(log n), by id or by position, and moves at most 64 elements in
/// memory; k elements cost k times that. Nothing is ever rebuilt, save by sorting and filtering. Iterating is
/// O(n), element by element in memory.
///
/// **What has changed** is known: ``stamp`` names the version, ``changedIDs(since:)`` says which ids have
/// changed since another, and ``difference(from:)`` what to animate.
///
/// The name and the idea come from SwiftDux, the entity operations from Redux Toolkit's entity adapter.
public struct OrderedState<Element: Identifiable> {
  @usableFromInline var contents: CopyOnWrite<ListStorage<Element>>

  /// Creates an empty list.
  @inlinable
  public init() {
    self.init(shape: .usual)
  }

  /// Creates an empty list whose storage has parts of another size than usual, for tests.
  @inlinable
  package init(shape: ListShape) {
    self.init(ListStorage(shape: shape, stamp: .empty))
  }

  @inlinable
  init(_ storage: ListStorage<Element>) {
    contents = CopyOnWrite(storage)
  }

  /// Creates a list of elements in their order.
  ///
  /// Of several with the same id the last one stands, where it stands. O(n).
  @inlinable
  public init(_ elements: some Sequence<Element>) {
    self.init(elements, shape: .usual)
  }

  @inlinable
  package init(_ elements: some Sequence<Element>, shape: ListShape) {
    let elements = Array(elements)
    if elements.isEmpty {
      self.init(shape: shape)
    } else if let storage = ListStorage.filled(with: elements, shape: shape) {
      self.init(storage)
    } else {
      self.init(shape: shape)
      append(contentsOf: elements)
      storage.noteEverything()
    }
  }

  /// Creates a list of elements in their order.
  ///
  /// Of several with the same id the last one stands, where it stands. O(n).
  @inlinable
  public init(_ elements: Element...) {
    self.init(elements)
  }

  @inlinable @inline(__always)
  var storage: ListStorage<Element> {
    _read { yield contents.value }
    _modify { yield &contents.value }
  }
}

extension OrderedState: Sendable where Element: Sendable, Element.ID: Sendable {}

extension OrderedState: ExpressibleByArrayLiteral {
  /// Creates a list of the elements of a literal; of several with the same id the last one stands.
  @inlinable
  public init(arrayLiteral elements: Element...) {
    self.init(elements)
  }
}
