/// A readable description of the differences that reflection finds between two values.
///
/// The two values are examined side by side. Each difference is described in the form
/// `path: old → new`, according to these rules:
///
/// - Values that are equal according to their own `==` are not examined further. An object that
///   is identical in both values is not examined either. Values that cannot be distinguished,
///   such as functions, are treated as alike. Two values that are both NaN are also treated as
///   alike.
/// - Structures, objects, and tuples are compared property by property, beginning with
///   inherited properties. For a type that conforms to `CustomStringConvertible`, such as
///   `Date` and `URL`, the descriptions are shown instead of the properties, unless both values
///   have the same description. Enumeration cases are shown as a whole.
/// - For a set, and for an array that grew or shrank at its end, the removed and added elements
///   are listed: `path: - old + new`. For other arrays of different lengths, the lengths are
///   shown.
/// - For an `OrderedState` of `FluxCollections`, the changes of its elements are listed by id:
///   `path[id].title: "a" → "b"`, `path[id]: nothing → new`, `path[id]: old → nothing`, and
///   `path[id]: moved to position 3`. If the position of an element changes only because other
///   elements were inserted, removed, or moved, the element does not count as moved.
/// - Entries of dictionaries and elements of sets are listed in ascending order, or in the order
///   of their descriptions if they are not comparable.
/// - If more than four entries or elements were removed or added, only three of them are listed,
///   followed by text such as `and 17 more`.
///
/// The size of a difference is limited. A difference contains at most ``Limits/changes`` changes.
/// At most ``Limits/visits`` pairs of values are examined part by part, and at most
/// ``Limits/comparisons`` pairs are compared, to a depth of 100 levels. The description of a
/// value contains at most ``Limits/characters`` characters. The character `…`, or text such as
/// `and 17 more`, indicates an omission. Line breaks and other control characters are escaped, so
/// that each description fits on one line.
///
/// Elements and entries that are equal are not examined further. A collection that shares its
/// storage with its previous version is not compared at all. For two versions of an
/// `OrderedState`, only the changed elements are compared. The cost for an `OrderedState`
/// therefore depends on the size of the change instead of the size of the list. If a collection
/// is too large for the remaining comparisons, only its sizes are shown, as in
/// `10000 entries → 10001 entries`. If a collection whose size did not change is not compared
/// completely, `…` indicates the omission.
public struct StateDifference: Sendable, CustomStringConvertible {
  /// A difference between the two values at one path.
  ///
  /// In most cases, the change contains the old value and the new value. For a set, and for an
  /// array that grew or shrank at its end, ``old`` lists the removed elements, as in `- 1 - 2`,
  /// and ``new`` lists the added elements, as in `+ 3`. If not all entries of a dictionary are
  /// listed, a change contains the numbers of the other entries, such as `and 2 more removed` in
  /// ``old`` and `and 17 more added` in ``new``.
  public struct Change: Sendable, Equatable {
    /// The path to the difference.
    ///
    /// The path consists of the names of properties and the positions of elements, beginning with
    /// the outermost property.
    ///
    /// The path is empty if the values differ as a whole.
    public let path: String
    /// The old value or the removed elements, or `nil` if nothing was replaced or removed.
    public let old: String?
    /// The new value, the added elements, or the new position of an element, or `nil` if the
    /// change is only a removal.
    public let new: String?

    /// The kind of the change.
    public let kind: Kind

    /// A kind of change.
    public enum Kind: Sendable {
      /// The value was replaced, or elements of the value were added or removed.
      case changed
      /// The value was inserted.
      case inserted
      /// The value was removed.
      case removed
      /// The element moved to another position.
      case moved
    }

    /// A Boolean value that indicates whether the new value replaces the old value.
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

    fileprivate func write(to line: inout LineBuffer) {
      if !path.isEmpty {
        line.append(path)
        line.append(": ")
      }
      if isStep {
        line.append(old ?? "nothing")
        line.append(" → ")
        line.append(new ?? "nothing")
      } else {
        if let old { line.append(old) }
        if old != nil, new != nil { line.append(" ") }
        if let new { line.append(new) }
      }
    }
  }

  /// The limits of a difference.
  ///
  /// Numbers below 0 count as 0.
  public struct Limits: Sendable {
    /// The maximum number of changes.
    public var changes: Int
    /// The maximum number of pairs of values that are examined part by part or described.
    ///
    /// Pairs that are equal according to their own `==` do not count, and neither does an
    /// object that is identical in both values. If a type is not `Equatable`, each pair of its
    /// values counts, regardless of whether the values are equal.
    public var visits: Int
    /// The maximum number of pairs of values that are compared, including pairs that are equal.
    ///
    /// A pair that is equal according to its own `==` counts as one comparison, regardless of the
    /// size of the values. If the two values of a pair are not equal, the pairs of their parts
    /// also count. A pair of sets or dictionaries counts as n comparisons, where n is the size of
    /// the larger collection. If fewer than n comparisons remain, the pair is not compared. A pair
    /// of `OrderedState` values counts as one comparison for each element that might have changed.
    public var comparisons: Int
    /// The maximum number of characters in the description of one value, before characters are
    /// escaped.
    ///
    /// The limit does not include quotation marks around a string, or the `…` that marks a
    /// shortened description.
    public var characters: Int

    /// Creates limits for a difference.
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
  /// A Boolean value that indicates whether there are, or might be, more changes than `changes`
  /// contains.
  ///
  /// The value is `true` if the number of changes exceeds the limit or if values were not
  /// compared. Shortened descriptions, and entries that are only counted, have no effect on this
  /// value.
  public let isTruncated: Bool

  /// Creates the difference between two values of the same type.
  ///
  /// The limits apply to the number of pairs of values that are compared and examined, but not
  /// to the time for each pair. The `==` of a collection takes linear time, and a custom
  /// description can take any amount of time.
  ///
  /// If some of the n elements or entries of a collection are not alike, the method calls `==`
  /// once for the whole collection, and then n times for its elements. If the collection is not
  /// ordered, sorting k differences takes an additional O(k log k) time. Values without an `==`
  /// are treated as different until they have been examined. Each value that encloses a change
  /// is first compared as a whole, so an element is compared at most once for each level of
  /// nesting.
  ///
  /// If k elements of an `OrderedState` have changed and its journal still contains these
  /// changes, the cost is O(k log n). If the journal no longer contains the changes, the cost
  /// increases by O(n / 64). If an enclosing state has an `==`, the cost of that comparison is
  /// added.
  ///
  /// - Parameters:
  ///   - old: The old value.
  ///   - new: The new value.
  ///   - limits: The limits of the difference.
  ///   - redaction: The secret parts. The difference shows that a secret part changed, but does
  ///     not show its old or new value.
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
  /// If there are, or might be, more changes, the line ends with `…`.
  public var description: String {
    var line = LineBuffer()
    write(to: &line)
    return line.text
  }

  func write(to line: inout LineBuffer) {
    for (position, change) in changes.enumerated() {
      if position > 0 { line.append(", ") }
      change.write(to: &line)
    }
    if isTruncated { line.append(changes.isEmpty ? "…" : ", …") }
  }
}
