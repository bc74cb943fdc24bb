/// A value that can tell what has changed in it since another version of it, without comparing all that it holds.
///
/// Who looks for differences asks for this, and need not know the type: logs tell the changes of a list by it, and
/// neither of their modules depends on the other.
package protocol ChangeTracking<Part> {
  /// What it consists of: the elements of a list.
  associatedtype Part

  /// How many parts there are.
  var count: Int { get }

  /// What has to be done to make this version of another one: first the parts that went, in the order that they had,
  /// then the others in the order that they have.
  ///
  /// The other version may be the later one, as it is after an undo.
  ///
  /// - Parameters:
  ///   - old: The version before.
  ///   - most: How many parts may be looked at.
  ///   - areAlike: Whether a part is what it was. Asked at most once for each part that may have changed.
  /// - Returns: `nil` if more parts than that may have changed.
  func changes(
    since old: Self, lookingAtMost most: Int, areAlike: (_ old: Part, _ new: Part) -> Bool
  ) -> [PartChange<Part>]?
}

/// What became of one part of a value.
package struct PartChange<Part> {
  /// What can become of a part; one that moved and is not alike is told twice.
  package enum Kind {
    case removed(Part)
    case inserted(Part)
    case moved(Part, to: Int)
    case updated(from: Part, to: Part)

    /// The versions of the part that the change contains.
    package var versions: [Part] {
      switch self {
      case .removed(let part), .inserted(let part), .moved(let part, to: _): [part]
      case .updated(from: let old, to: let new): [old, new]
      }
    }
  }

  /// What names the part.
  package let id: Any
  /// What became of it.
  package let kind: Kind

  package init(id: Any, kind: Kind) {
    self.id = id
    self.kind = kind
  }
}
