public import FluxCore

/// A rule that groups actions into one step, which is undone and redone as a whole.
///
/// ```swift
/// .none
/// .byType(MoveSlider.self)
/// .when(SetTitle.self) { previous, current in previous.id == current.id && !current.title.hasSuffix(" ") }
/// ```
///
/// The history applies the rule to each recorded action and the action that was recorded before
/// it. If a history action between the two actions changes the entries or the position, the step
/// ends, so that an edit after an undo is a separate step. An unrecorded action does not end a
/// step. The ``UnrecordedActionPolicy`` determines how undoing the step affects unrecorded
/// actions.
///
/// The closures of a rule run inside the store's serial order. Like a reducer, the closures must
/// be pure and quick, and must not use the store.
public struct HistoryGrouping: Sendable {
  private let belongs: @Sendable (_ previous: any Action, _ current: any Action) -> Bool

  /// Creates a rule that adds an action to the step before it if a closure returns `true`.
  public init(
    _ belongTogether: @escaping @Sendable (_ previous: any Action, _ current: any Action) -> Bool
  ) {
    belongs = belongTogether
  }

  /// A rule that makes every action a separate step.
  public static let none = HistoryGrouping { _, _ in false }

  /// Returns a rule that groups consecutive actions of the same type, if that type is one of the
  /// given types.
  ///
  /// The rule compares the exact types of actions. The lookup of a type takes O(1) time,
  /// regardless of the number of types.
  public static func byType(_ types: any Action.Type...) -> HistoryGrouping {
    let types = Set(types.map { ObjectIdentifier($0) })
    return HistoryGrouping { previous, current in
      let type = ObjectIdentifier(type(of: current))
      return types.contains(type) && ObjectIdentifier(Swift.type(of: previous)) == type
    }
  }

  /// Returns a rule that adds an action to the step before it if both actions have a given type
  /// and a closure returns `true`.
  public static func when<Grouped: Action>(
    _ type: Grouped.Type,
    _ belongTogether: @escaping @Sendable (_ previous: Grouped, _ current: Grouped) -> Bool
  ) -> HistoryGrouping {
    HistoryGrouping { previous, current in
      guard let previous = previous as? Grouped, let current = current as? Grouped else { return false }
      return belongTogether(previous, current)
    }
  }

  /// Returns a rule that groups two actions if at least one of several rules groups them.
  public static func any(of groupings: HistoryGrouping...) -> HistoryGrouping {
    HistoryGrouping { previous, current in groupings.contains { $0.joins(previous, current) } }
  }

  /// Returns a Boolean value that indicates whether an action belongs to the same step as the
  /// action before it.
  public func joins(_ previous: any Action, _ current: any Action) -> Bool {
    belongs(previous, current)
  }
}
