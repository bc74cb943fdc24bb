public import FluxCore

/// Says which actions something is for.
///
/// ```swift
/// .all
/// .only(SetMovie.self, RemoveMovie.self)
/// .except(Tick.self)
/// .where { action in (action as? Tracked)?.isPublic == true }
/// ```
///
/// Types are the exact types of actions, found by look-up: O(1), however many there are.
public struct ActionFilter: Sendable {
  private enum Kind: Sendable {
    case all
    case only(TypeTable<Bool>)
    case except(TypeTable<Bool>)
    case matching(@Sendable (any Action) -> Bool)
  }

  private let kind: Kind

  /// Every action.
  public static let all = ActionFilter(kind: .all)

  /// Actions of these types; of no type given, none.
  public static func only(_ types: any Action.Type...) -> ActionFilter {
    ActionFilter(kind: .only(table(of: types)))
  }

  /// Actions of all types but these.
  public static func except(_ types: any Action.Type...) -> ActionFilter {
    ActionFilter(kind: .except(table(of: types)))
  }

  /// Actions for which a closure says so.
  public static func `where`(_ matches: @escaping @Sendable (any Action) -> Bool) -> ActionFilter {
    ActionFilter(kind: .matching(matches))
  }

  /// Whether an action passes the filter.
  public func matches(_ action: any Action) -> Bool {
    switch kind {
    case .all: true
    case .only(let types): types.contains(action)
    case .except(let types): !types.contains(action)
    case .matching(let matches): matches(action)
    }
  }

  /// A function that sends the actions that pass the filter one way, and all others another.
  ///
  /// For a middleware that cares about some actions only: what kind of filter it is, is decided here and not for each
  /// action, so that those that do not pass cost a few instructions.
  public func branch(
    to handle: @escaping DispatchFunction, otherwise next: @escaping DispatchFunction
  ) -> DispatchFunction {
    switch kind {
    case .all: handle
    case .only(let types): types.branch(to: handle, otherwise: next)
    case .except(let types): types.branch(to: next, otherwise: handle)
    case .matching(let matches):
      { action in
        if matches(action) { handle(action) } else { next(action) }
      }
    }
  }

  private static func table(of types: [any Action.Type]) -> TypeTable<Bool> {
    types.reduce(into: TypeTable()) { table, type in table.insert(true, for: type) { first, _ in first } }
  }
}
