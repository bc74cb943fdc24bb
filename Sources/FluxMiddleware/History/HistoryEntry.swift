public import FluxCore

/// An action that a history recorded.
public struct HistoryEntry: Identifiable, Sendable, CustomStringConvertible {
  /// A value that identifies an entry among all entries of its history.
  ///
  /// Ids start at 1, ascend in the order in which actions are recorded, and are not reused.
  /// Imported entries keep their ids.
  public struct ID: RawRepresentable, Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
    /// The id as a number.
    public let rawValue: Int

    /// Creates an id from its number.
    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// Returns a Boolean value that indicates whether one entry was recorded before another
    /// entry.
    public static func < (first: ID, second: ID) -> Bool { first.rawValue < second.rawValue }

    /// The number as a string.
    public var description: String { "\(rawValue)" }
  }

  /// The id of the entry.
  public let id: ID
  /// The action, which can be an ``UnknownAction`` after an import.
  public let action: any Action
  /// The position after this entry, which is 1 for the oldest entry.
  ///
  /// The entry is done if this value is not greater than ``HistoryStatus/position``, and undone
  /// otherwise. The value decreases when older entries are folded into the base.
  public let position: Int
  /// A Boolean value that indicates whether the action is skipped.
  public let isSkipped: Bool
  /// A Boolean value that indicates whether unrecorded actions changed the state after this
  /// entry.
  ///
  /// With ``UnrecordedActionPolicy/undoneWithEntry``, the state after an amended entry cannot
  /// be recomputed. The history keeps that state, and skipping an earlier entry does not change
  /// the state. With every policy, if the import contained the state after an
  /// ``UnknownAction``, the history also keeps that state unchanged.
  public let isAmended: Bool
  /// The id of the first entry in this entry's step.
  ///
  /// Adjacent entries that belong to the same step are undone together.
  public let step: ID
  /// The note about the action, or `nil` if the history did not take a note or if the entry was
  /// imported.
  public let note: HistoryNote?

  /// The description of the action.
  public var description: String { "\(action)" }
}
