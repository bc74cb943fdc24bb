public import FluxCore

/// A rule that groups actions into one step, which is undone and redone as a whole.
///
/// ```swift
/// .none
/// .byType(MoveSlider.self)
/// .when(SetTitle.self) { previous, current in previous.id == current.id && !current.title.hasSuffix(" ") }
/// ```
///
/// The history calls the rule for each recorded action, with the action recorded before it. A
/// history action between the two ends the step if it changes the entries or the position, so
/// that an edit after an undo is a separate step. An unrecorded action does not end the step.
/// When the step is undone, the ``UnrecordedActionPolicy`` determines the effect on that action.
///
/// The closures run inside the store's serial order, and follow a reducer's rules: they must be
/// pure and quick, and must not touch the store.
public struct HistoryGrouping: Sendable {
  private let belongs: @Sendable (_ previous: any Action, _ current: any Action) -> Bool

  /// Creates a rule that adds an action to the step before it if a closure returns `true`.
  public init(
    _ belongTogether: @escaping @Sendable (_ previous: any Action, _ current: any Action) -> Bool
  ) {
    belongs = belongTogether
  }

  /// A rule that makes every action a step.
  public static let none = HistoryGrouping { _, _ in false }

  /// Returns a rule that groups consecutive actions of the same type, if it is one of the given
  /// types.
  ///
  /// The types are the exact types of actions. A lookup finds a type in O(1), independently of
  /// their number.
  public static func byType(_ types: any Action.Type...) -> HistoryGrouping {
    let types = Set(types.map { ObjectIdentifier($0) })
    return HistoryGrouping { previous, current in
      let type = ObjectIdentifier(type(of: current))
      return types.contains(type) && ObjectIdentifier(Swift.type(of: previous)) == type
    }
  }

  /// Returns a rule that adds an action of a type to the step before it, if the action before it
  /// has the same type and a closure returns `true`.
  public static func when<Grouped: Action>(
    _ type: Grouped.Type,
    _ belongTogether: @escaping @Sendable (_ previous: Grouped, _ current: Grouped) -> Bool
  ) -> HistoryGrouping {
    HistoryGrouping { previous, current in
      guard let previous = previous as? Grouped, let current = current as? Grouped else { return false }
      return belongTogether(previous, current)
    }
  }

  /// Returns a rule that groups actions if any of several rules groups them.
  public static func any(of groupings: HistoryGrouping...) -> HistoryGrouping {
    HistoryGrouping { previous, current in groupings.contains { $0.joins(previous, current) } }
  }

  /// Returns whether an action belongs to the step of the action before it.
  public func joins(_ previous: any Action, _ current: any Action) -> Bool {
    belongs(previous, current)
  }
}
