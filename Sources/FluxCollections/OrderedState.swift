public import FluxCore

/// An ordered collection in which each element can also be found by its id.
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
/// An `OrderedState` is a value. Copies of a list share all parts of the storage that no copy has
/// changed. If a history or an observer keeps an old version, the next change copies a few small
/// arrays, and not the whole list. If no copy shares the storage, elements change in place.
///
/// **Repeated ids, unknown ids, and positions out of range** can come from a server, and do not
/// stop the program:
/// - An id occurs in a list at most once. `append`, `prepend`, `insert`, and the initializers
///   *place* an element: they remove the previous element with the same id. `add` keeps the
///   known element. `set` and `upsert` change the known element at its position.
/// - A change for an unknown id has no effect, and the method's result indicates that the list
///   did not change.
/// - ``element(at:)`` returns `nil` for a position out of range. Operations that remove or move
///   elements ignore positions that are out of range. The destination of an insertion or a move
///   is clamped to the valid range. Only the subscript with a position stops the program, like
///   the subscript of `Array`.
///
/// **Complexity**, for n elements: Finding an element by id is O(1). Finding an element by
/// position, or the position of an id, is O(log n). Adding, changing, or removing an element by
/// id or by position is O(log n), and moves at most 64 elements in memory. Changing k elements
/// costs k times as much as changing one element. Only sorting the list or replacing all its
/// elements rebuilds the storage. Iteration is O(n), and reads elements that are contiguous in
/// memory.
///
/// **Changes.** ``stamp`` identifies the version of a list. ``changedIDs(since:)`` returns the
/// ids that have changed since another version. ``difference(from:)`` returns the changes
/// between two versions, for example to animate them.
///
/// The name and the idea come from SwiftDux. The entity operations come from Redux Toolkit's
/// entity adapter.
public struct OrderedState<Element: Identifiable> {
  @usableFromInline var contents: CopyOnWrite<ListStorage<Element>>

  /// Creates an empty list.
  @inlinable
  public init() {
    self.init(shape: .usual)
  }

  /// Creates an empty list whose storage has parts of the given sizes, for tests.
  @inlinable
  package init(shape: ListShape) {
    self.init(ListStorage(shape: shape, stamp: .empty))
  }

  @inlinable
  init(_ storage: ListStorage<Element>) {
    contents = CopyOnWrite(storage)
  }

  /// Creates a list that contains the given elements, in the given order.
  ///
  /// If several elements have the same id, all of them except the last are omitted. The
  /// initializer takes O(n) time.
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

  /// Creates a list that contains the given elements, in the given order.
  ///
  /// If several elements have the same id, all of them except the last are omitted. The
  /// initializer takes O(n) time.
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
  /// Creates a list of the elements of an array literal.
  ///
  /// If several elements have the same id, the list keeps the last of them.
  @inlinable
  public init(arrayLiteral elements: Element...) {
    self.init(elements)
  }
}
