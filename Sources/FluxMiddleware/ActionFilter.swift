public import FluxCore

/// A filter that selects actions.
///
/// ```swift
/// .all
/// .only(SetMovie.self, RemoveMovie.self)
/// .except(Tick.self)
/// .where { action in (action as? Tracked)?.isPublic == true }
/// ```
///
/// The filter compares the exact types of actions. The lookup of a type takes O(1) time,
/// regardless of the number of types.
public struct ActionFilter: Sendable {
  private enum Kind: Sendable {
    case all
    case only(TypeTable<Bool>)
    case except(TypeTable<Bool>)
    case matching(@Sendable (any Action) -> Bool)
  }

  private let kind: Kind

  /// A filter that selects every action.
  public static let all = ActionFilter(kind: .all)

  /// Returns a filter that selects actions of the given types.
  ///
  /// If no types are given, the filter selects no actions.
  public static func only(_ types: any Action.Type...) -> ActionFilter {
    ActionFilter(kind: .only(table(of: types)))
  }

  /// Returns a filter that selects actions of all types except the given types.
  public static func except(_ types: any Action.Type...) -> ActionFilter {
    ActionFilter(kind: .except(table(of: types)))
  }

  /// Returns a filter that selects actions for which a closure returns `true`.
  public static func `where`(_ matches: @escaping @Sendable (any Action) -> Bool) -> ActionFilter {
    ActionFilter(kind: .matching(matches))
  }

  /// Returns a Boolean value that indicates whether the filter selects an action.
  public func matches(_ action: any Action) -> Bool {
    switch kind {
    case .all: true
    case .only(let types): types.contains(action)
    case .except(let types): !types.contains(action)
    case .matching(let matches): matches(action)
    }
  }

  /// Returns a function that passes selected actions to one function, and all other actions to
  /// another function.
  ///
  /// Use this method in a middleware that handles only some actions. The method evaluates the
  /// kind of the filter once, instead of for each action. An action that is not selected
  /// therefore costs only a few instructions.
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
