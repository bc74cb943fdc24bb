public import FluxCore

/// An action that a history has recorded.
public struct HistoryEntry: Identifiable, Sendable, CustomStringConvertible {
  /// What tells an entry from all others of its history.
  ///
  /// Ids ascend from 1 in the order in which actions were recorded, and are not used again. Entries that were
  /// imported keep those that they had.
  public struct ID: RawRepresentable, Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
    /// The id as a number.
    public let rawValue: Int

    /// Creates an id from its number.
    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// Whether an entry was recorded before another.
    public static func < (first: ID, second: ID) -> Bool { first.rawValue < second.rawValue }

    /// The number.
    public var description: String { "\(rawValue)" }
  }

  /// What tells this entry from the others.
  public let id: ID
  /// The action, which may be an ``UnknownAction`` that came with an import.
  public let action: any Action
  /// The position behind this entry: 1 for the oldest.
  ///
  /// It is done when this is not beyond ``HistoryRecord/position``, and undone otherwise. It becomes less
  /// when older entries are folded into the base.
  public let position: Int
  /// Whether the action is left out.
  public let isSkipped: Bool
  /// A Boolean value that indicates whether unrecorded actions changed the state behind this entry.
  ///
  /// With ``UnrecordedActionPolicy/undoneWithEntry`` that state cannot be recomputed. It is kept, and stays as it
  /// is when an entry before is skipped. The same applies to the state behind an ``UnknownAction`` if the
  /// export contained it, whatever the policy.
  public let isAmended: Bool
  /// The first entry of the step that this one belongs to; neighbours with the same step are undone together.
  public let step: ID
  /// What the history was asked to note of the action; `nil` when it was not, and for an entry that was imported.
  public let note: HistoryNote?

  /// The action's description.
  public var description: String { "\(action)" }
}
