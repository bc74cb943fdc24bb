/// A value that can list its changes since another version of itself, without comparing all of
/// its parts.
///
/// Through this protocol, a module can find differences without depending on the concrete type.
/// For example, logs describe the changes of a list through this protocol, so the logging module
/// and the list module do not depend on each other.
package protocol ChangeTracking<Part> {
  /// The type of the parts, such as the elements of a list.
  associatedtype Part

  /// The number of parts.
  var count: Int { get }

  /// Returns the changes that turn another version into this version.
  ///
  /// In the result, the removals come first, in the order of the old version. All other changes
  /// follow, in the order of this version. The other version can be later than this version, for
  /// example after an undo.
  ///
  /// - Parameters:
  ///   - old: The other version.
  ///   - most: The maximum number of parts to examine.
  ///   - areAlike: A closure that returns whether a part is unchanged. The closure is called at
  ///     most once for each part that may have changed.
  /// - Returns: The changes, or `nil` if more than `most` parts may have changed.
  func changes(
    since old: Self, lookingAtMost most: Int, areAlike: (_ old: Part, _ new: Part) -> Bool
  ) -> [PartChange]?
}

/// A change to one part of a value.
///
/// The type of the parts is erased, so that code about changes does not find metadata for each
/// type of parts.
package struct PartChange {
  /// The kind of a change.
  ///
  /// A part that was both moved and updated has two changes, one of each kind.
  package enum Kind {
    case removed(Any)
    case inserted(Any)
    case moved(Any, to: Int)
    case updated(from: Any, to: Any)

    /// The values of the part that the change contains, with the earlier value first.
    package var versions: [Any] {
      switch self {
      case .removed(let part), .inserted(let part), .moved(let part, to: _): [part]
      case .updated(from: let old, to: let new): [old, new]
      }
    }
  }

  /// The identity of the part.
  package let id: Any
  /// The kind of the change.
  package let kind: Kind

  package init(id: Any, kind: Kind) {
    self.id = id
    self.kind = kind
  }
}

extension PartChange.Kind {
  /// A Boolean value that indicates whether the part exists in only one of the two versions.
  package var isAlone: Bool {
    switch self {
    case .removed, .inserted: true
    case .moved, .updated: false
    }
  }
}
