/// A readable difference between two values, found by reflection.
///
/// It walks both values side by side, and notes where they differ, as `path: old → new`:
///
/// - Values that are equal by their own `==` are not looked into, nor is an object that is the same before and after.
///   Functions, and other values that nothing tells apart, count as alike; so do two numbers that are not a number.
/// - Structures, objects and tuples are told property by property, those that a class inherits first. A type with a
///   description of its own (`CustomStringConvertible`, such as `Date` and `URL`) is told by it, unless both values
///   read the same. Cases of enumerations are told as a whole.
/// - Of sets, and of arrays that grew or shrank at their end, those elements are told that went and that came:
///   `path: - old + new`. Other arrays of unlike length are told by their lengths.
/// - An `OrderedState` of `FluxCollections` is told by what became of its elements, which their ids name:
///   `path[id].title: "a" → "b"`, `path[id]: nothing → new`, `path[id]: old → nothing`, and
///   `path[id]: moved to position 3`. Those that make room for others have not moved.
/// - Entries of dictionaries, and elements of sets, stand in ascending order, or in that of their descriptions when
///   they have none.
/// - Of more than four entries or elements that went, or that came, three are told, and then `and 17 more`.
///
/// It is bounded: at most ``Limits/changes`` changes are told, ``Limits/visits`` pairs of values looked into,
/// ``Limits/comparisons`` compared, no deeper than 100 levels, and a value is described in at most
/// ``Limits/characters`` characters. What was cut off is said. Line breaks and other control characters are escaped, so
/// that a description is one line.
///
/// A collection, whatever its size, is told by what is unlike in it: equal elements and entries are not looked into. One
/// that was left alone is not compared at all, and of two versions of an `OrderedState` only the elements that changed
/// are, so that what this takes follows the change, and not the size of the list.
/// One too large for the comparisons that are left is told by how many it holds, as `10000 entries → 10001 entries`;
/// if it holds as many as before, `…` says that it was not looked at, or not up to its end.
public struct StateDifference: Sendable, CustomStringConvertible {
  /// One place at which the values differ.
  ///
  /// Mostly it holds a value before and after. For a set, and for an array that grew or shrank at its end, it holds
  /// what went in ``old``, as `- 1 - 2`, and what came in ``new``, as `+ 3`. For further entries of a dictionary it
  /// holds how many there are: `and 2 more removed` in ``old``, `and 17 more added` in ``new``.
  public struct Change: Sendable, Equatable {
    /// Where: property names and positions, from the outside in; empty when the values differ as a whole.
    public let path: String
    /// What stood there, or what of it went; `nil` when nothing did, and for an element that only moved.
    public let old: String?
    /// What stands there, or what has come to it; `nil` when nothing does.
    public let new: String?

    /// What became of what stood there.
    public let kind: Kind

    /// What can become of a part of a value.
    public enum Kind: Sendable {
      /// It is another, or has lost or gained elements.
      case changed
      /// It has come.
      case inserted
      /// It has gone.
      case removed
      /// It stands at another position.
      case moved
    }

    /// Whether the new value stands in place of the old one.
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

  /// How much is looked at and told; numbers below 0 count as 0.
  public struct Limits: Sendable {
    /// The most changes that are told.
    public var changes: Int
    /// The most pairs of values that are looked into, property by property and element by element, or told.
    ///
    /// Those that are equal by their own `==` do not count, nor does an object that is the same before and after.
    /// Where a type is not `Equatable`, each of its pairs counts, equal or not.
    public var visits: Int
    /// The most pairs of values that are compared, whether they turn out equal or not.
    ///
    /// A value counts once, however large it is, if its own `==` finds it equal; if not, its parts count as well. A set
    /// and a dictionary count as many as the larger of the two holds, and are left alone if that is more than is left.
    /// An `OrderedState` counts as many as may have changed in it.
    public var comparisons: Int
    /// The most characters of one value's description, before characters are escaped.
    ///
    /// Quotation marks around a string do not count, nor does `…` for what was cut off.
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
  /// Whether there is, or may be, more than what is told: a change beyond the limit, or values not looked at.
  ///
  /// A value that is cut off and entries that are counted do not make it so.
  public let isTruncated: Bool

  /// Finds the difference between two values of one type.
  ///
  /// The limits bound how many pairs of values are compared and looked into. What is done with each takes as long as it
  /// does: to compare two values by their `==`, which for a collection is linear in its elements, and to describe a
  /// value.
  ///
  /// For collections of n elements or entries, of which k are unlike, that is n calls of the elements' `==` after that of
  /// the whole, and k log k steps to put what is unlike in order, where it is not in order already. Values without an
  /// `==` count as unlike until they have been looked into. As each value that encloses a change is compared as a whole
  /// first, an element is compared at most as often as it is nested deep.
  ///
  /// For an `OrderedState` of which k elements have changed since the older version it is O(k log n), for as many
  /// changes as it remembers, and O(n / 64) more beyond; a state that encloses it and has an `==` adds that.
  ///
  /// - Parameters:
  ///   - old: The value before.
  ///   - new: The value after.
  ///   - limits: How much is looked at and told.
  ///   - redaction: What is secret. The difference says that it changed, and neither the old nor the new value.
  public init<Value>(
    from old: Value, to new: Value, limits: Limits = Limits(), redacting redaction: Redaction = .none
  ) {
    var walk = DifferenceWalk(limits: limits, redaction: redaction)
    walk.compare(old, new, path: .whole)
    changes = walk.changes
    isTruncated = walk.isTruncated
  }

  /// Whether no difference was found.
  public var isEmpty: Bool { changes.isEmpty && !isTruncated }

  /// The changes in one line, separated by commas; at the end `…`, if there is or may be more.
  public var description: String {
    (changes.map(\.text) + (isTruncated ? ["…"] : [])).joined(separator: ", ")
  }
}
