/// A readable difference between two values, found by reflection.
///
/// Both values are walked in parallel. Each difference is described as `path: old → new`, by
/// these rules:
///
/// - Values that are equal by their own `==` are not examined further. The same applies to an
///   object that is identical before and after. Values that cannot be distinguished, such as
///   functions, count as alike. Two values that are both NaN also count as alike.
/// - Structures, objects, and tuples are compared property by property, beginning with
///   inherited properties. For a type that conforms to `CustomStringConvertible`, such as
///   `Date` and `URL`, the descriptions are shown instead, unless both are equal. Enumeration
///   cases are shown as a whole.
/// - For a set, and for an array that grew or shrank at its end, the removed and added elements
///   are listed: `path: - old + new`. For other arrays of different lengths, the lengths are
///   shown.
/// - For an `OrderedState` of `FluxCollections`, the changes of its elements are listed by id:
///   `path[id].title: "a" → "b"`, `path[id]: nothing → new`, `path[id]: old → nothing`, and
///   `path[id]: moved to position 3`. An element that only makes room for another element has
///   not moved.
/// - Entries of dictionaries and elements of sets are in ascending order. If they are not
///   comparable, they are in the order of their descriptions.
/// - If more than four entries or elements were removed, or more than four were added, three of
///   them are listed, followed by `and 17 more`.
///
/// The difference is bounded: it contains at most ``Limits/changes`` changes. At most
/// ``Limits/visits`` pairs of values are examined part by part, and at most
/// ``Limits/comparisons`` pairs are compared, to a depth of 100 levels. A value is described
/// with at most ``Limits/characters`` characters. A mark shows where something was left out.
/// Line breaks and other control characters are escaped, so that a description is one line.
///
/// Equal elements and entries of a collection are not examined further. A collection that
/// shares its storage with its previous version is not compared at all. In two versions of an
/// `OrderedState`, only the changed elements are compared. The cost therefore depends on the
/// size of the change, and not on the size of the list. If a collection is too large for the
/// remaining comparisons, only its sizes are shown, as `10000 entries → 10001 entries`. If the
/// sizes are equal, `…` indicates that the collection was not compared, or not up to its end.
public struct StateDifference: Sendable, CustomStringConvertible {
  /// A place at which the values differ.
  ///
  /// In most cases, the change contains the values before and after. For a set, and for an
  /// array that grew or shrank at its end, ``old`` lists the removed elements, as `- 1 - 2`,
  /// and ``new`` lists the added elements, as `+ 3`. For further entries of a dictionary, the
  /// change contains their numbers: `and 2 more removed` in ``old``, and `and 17 more added` in
  /// ``new``.
  public struct Change: Sendable, Equatable {
    /// The path to the place, with the names of properties and the positions of elements, from
    /// the outside in.
    ///
    /// The path is empty if the values differ as a whole.
    public let path: String
    /// The previous value, or the removed elements; `nil` if there are none, or if an element
    /// only moved.
    public let old: String?
    /// The new value, the added elements, or the new position of an element; `nil` if there are
    /// none.
    public let new: String?

    /// The kind of the change.
    public let kind: Kind

    /// A kind of change.
    public enum Kind: Sendable {
      /// The value was replaced, or lost or gained elements.
      case changed
      /// The value was inserted.
      case inserted
      /// The value was removed.
      case removed
      /// The element moved to another position.
      case moved
    }

    /// A Boolean value that indicates whether the new value replaces the old one.
    private let isStep: Bool

    init(path: PartPath, old: String?, new: String?, isStep: Bool = true, isMove: Bool = false) {
      self.path = path.shown
      self.old = old
      self.new = new
      self.isStep = isStep
      kind =
        switch (old, new) {
        case _ where isMove: .moved
        case (nil, _) where isStep: .inserted
        case (_, nil) where isStep: .removed
        default: .changed
        }
    }

    fileprivate var text: String {
      let text =
        isStep
        ? "\(old ?? "nothing") → \(new ?? "nothing")" : [old, new].compactMap(\.self).joined(separator: " ")
      return path.isEmpty ? text : "\(path): \(text)"
    }
  }

  /// The limits of a difference; numbers below 0 count as 0.
  public struct Limits: Sendable {
    /// The maximum number of changes.
    public var changes: Int
    /// The maximum number of pairs of values that are examined part by part or described.
    ///
    /// Pairs that are equal by their own `==` do not count. The same applies to an object that
    /// is identical before and after. If a type is not `Equatable`, each pair of its values
    /// counts, whether equal or not.
    public var visits: Int
    /// The maximum number of pairs of values that are compared, whether they are equal or not.
    ///
    /// A pair that is equal by its own `==` counts once, however large the values are. If it is
    /// not equal, its parts count as well. A pair of sets or dictionaries counts as often as
    /// the larger one has elements. If that is more than the remaining number, the pair is not
    /// compared. An `OrderedState` counts once for each element that may have changed.
    public var comparisons: Int
    /// The maximum number of characters in the description of one value, before characters are
    /// escaped.
    ///
    /// Quotation marks around a string do not count. The `…` that marks a shortened description
    /// does not count either.
    public var characters: Int

    /// Creates limits.
    public init(
      changes: Int = 8, visits: Int = 2_000, comparisons: Int = 100_000, characters: Int = 60
    ) {
      self.changes = changes
      self.visits = visits
      self.comparisons = comparisons
      self.characters = characters
    }
  }

  /// The changes, in the order in which the properties are declared.
  public let changes: [Change]
  /// A Boolean value that indicates whether there are, or may be, more changes than `changes`
  /// contains.
  ///
  /// The value is `true` if a change exceeds the limit or if values were not compared.
  /// Shortened descriptions and entries that are only counted do not make it `true`.
  public let isTruncated: Bool

  /// Creates the difference between two values of one type.
  ///
  /// The limits bound the number of pairs of values that are compared and examined. They do not
  /// bound the time for each pair: the `==` of a collection takes linear time, and a
  /// description can take any time.
  ///
  /// For collections of n elements or entries, of which k are not alike, the cost is n calls of
  /// the elements' `==`, after one call for the whole collection. Sorting takes k log k steps,
  /// if the collection is not ordered. Values without an `==` count as not alike until they
  /// have been examined. Each value that encloses a change is first compared as a whole.
  /// Therefore, an element is compared at most once for each level of its nesting.
  ///
  /// For an `OrderedState` of which k elements have changed since the older version, the cost
  /// is O(k log n), if its journal still contains these changes. Otherwise, the cost is higher
  /// by O(n / 64). An enclosing state that has an `==` adds the cost of that comparison.
  ///
  /// - Parameters:
  ///   - old: The value before.
  ///   - new: The value after.
  ///   - limits: The limits of the difference.
  ///   - redaction: The secret parts. The difference shows that a secret part changed, but
  ///     neither its old nor its new value.
  public init<Value>(
    from old: Value, to new: Value, limits: Limits = Limits(), redacting redaction: Redaction = .none
  ) {
    var walk = DifferenceWalk(limits: limits, redaction: redaction)
    walk.compare(old, new, path: .whole)
    changes = walk.changes
    isTruncated = walk.isTruncated
  }

  /// A Boolean value that indicates whether no difference was found.
  public var isEmpty: Bool { changes.isEmpty && !isTruncated }

  /// The changes on one line, separated by commas.
  ///
  /// If there are, or may be, more changes, the line ends with `…`.
  public var description: String {
    (changes.map(\.text) + (isTruncated ? ["…"] : [])).joined(separator: ", ")
  }
}
