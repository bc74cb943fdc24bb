public import FluxCore

/// An action that a history recorded.
public struct HistoryEntry: Identifiable, Sendable, CustomStringConvertible {
  /// The identity of an entry among all entries of its history.
  ///
  /// Ids ascend from 1 in the order in which actions were recorded, and are not reused. Imported
  /// entries keep their ids.
  public struct ID: RawRepresentable, Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
    /// The id as a number.
    public let rawValue: Int

    /// Creates an id from its number.
    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// Returns whether an entry was recorded before another one.
    public static func < (first: ID, second: ID) -> Bool { first.rawValue < second.rawValue }

    /// The number as text.
    public var description: String { "\(rawValue)" }
  }

  /// The id of the entry.
  public let id: ID
  /// The action, which can be an ``UnknownAction`` after an import.
  public let action: any Action
  /// The position after this entry: 1 for the oldest entry.
  ///
  /// The entry is done if this value is not greater than ``HistoryStatus/position``, and undone
  /// otherwise. The value decreases when older entries are folded into the base.
  public let position: Int
  /// A Boolean value that indicates whether the action is skipped.
  public let isSkipped: Bool
  /// A Boolean value that indicates whether unrecorded actions changed the state after this
  /// entry.
  ///
  /// With ``UnrecordedActionPolicy/undoneWithEntry``, that state cannot be recomputed. It is
  /// kept, and does not change when an earlier entry is skipped. With every policy, the same
  /// applies to the state after an ``UnknownAction``, if the export contained that state.
  public let isAmended: Bool
  /// The first entry of this entry's step; adjacent entries with the same step are undone
  /// together.
  public let step: ID
  /// The note about the action; `nil` if the history did not take a note, or if the entry was
  /// imported.
  public let note: HistoryNote?

  /// The description of the action.
  public var description: String { "\(action)" }
}
