public import FluxCore

/// Says which actions are undone and redone together, as one step.
///
/// ```swift
/// .none
/// .byType(MoveSlider.self)
/// .when(SetTitle.self) { previous, current in previous.id == current.id && !current.title.hasSuffix(" ") }
/// ```
///
/// It is asked for each recorded action with the one recorded before it. A history action between the two
/// that did something ends the step, so that what is typed after an undo is a step of its own; an action that
/// is not recorded does not, and an undo of the step treats it as the ``UnrecordedActionPolicy`` says.
///
/// The closures run inside the store's serial order, and follow a reducer's rules: pure, quick, and away from
/// the store.
public struct HistoryGrouping: Sendable {
  private let belongs: @Sendable (_ previous: any Action, _ current: any Action) -> Bool

  /// Groups an action with the one before it when a closure says so.
  public init(
    _ belongTogether: @escaping @Sendable (_ previous: any Action, _ current: any Action) -> Bool
  ) {
    belongs = belongTogether
  }

  /// Every action is a step.
  public static let none = HistoryGrouping { _, _ in false }

  /// A run of actions of one of these types, and of that type only, is a step.
  ///
  /// Types are the exact types of actions, found by look-up: O(1), however many there are.
  public static func byType(_ types: any Action.Type...) -> HistoryGrouping {
    let types = Set(types.map { ObjectIdentifier($0) })
    return HistoryGrouping { previous, current in
      let type = ObjectIdentifier(type(of: current))
      return types.contains(type) && ObjectIdentifier(Swift.type(of: previous)) == type
    }
  }

  /// An action of a type belongs to the step of the one before it, if that is of the type too and a closure
  /// says so.
  public static func when<Grouped: Action>(
    _ type: Grouped.Type,
    _ belongTogether: @escaping @Sendable (_ previous: Grouped, _ current: Grouped) -> Bool
  ) -> HistoryGrouping {
    HistoryGrouping { previous, current in
      guard let previous = previous as? Grouped, let current = current as? Grouped else { return false }
      return belongTogether(previous, current)
    }
  }

  /// Actions are one step when any of several groupings says so.
  public static func any(of groupings: HistoryGrouping...) -> HistoryGrouping {
    HistoryGrouping { previous, current in groupings.contains { $0.joins(previous, current) } }
  }

  /// Whether an action belongs to the step of the one before it.
  public func joins(_ previous: any Action, _ current: any Action) -> Bool {
    belongs(previous, current)
  }
}
