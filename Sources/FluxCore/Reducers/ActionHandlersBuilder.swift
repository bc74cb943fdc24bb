/// Builds ``ActionHandlers`` of the handlers that stand in a closure, one below the other.
@resultBuilder
public enum ActionHandlersBuilder<State> {
  /// Takes handlers as they are.
  @inlinable
  public static func buildExpression(_ handlers: ActionHandlers<State>) -> ActionHandlers<State> { handlers }

  /// Combines what stands in a block.
  @inlinable
  public static func buildBlock(_ handlers: ActionHandlers<State>...) -> ActionHandlers<State> {
    ActionHandlers(combining: handlers)
  }

  /// Takes the handlers after an `if` without an `else`, or none.
  @inlinable
  public static func buildOptional(_ handlers: ActionHandlers<State>?) -> ActionHandlers<State> {
    handlers ?? ActionHandlers(combining: [])
  }

  /// Takes the handlers after an `if`.
  @inlinable
  public static func buildEither(first handlers: ActionHandlers<State>) -> ActionHandlers<State> { handlers }

  /// Takes the handlers after an `else`.
  @inlinable
  public static func buildEither(second handlers: ActionHandlers<State>) -> ActionHandlers<State> { handlers }

  /// Takes the handlers after an `if #available`.
  @inlinable
  public static func buildLimitedAvailability(_ handlers: ActionHandlers<State>) -> ActionHandlers<State> {
    handlers
  }

  /// Combines what the rounds of a loop give.
  @inlinable
  public static func buildArray(_ handlers: [ActionHandlers<State>]) -> ActionHandlers<State> {
    ActionHandlers(combining: handlers)
  }
}

extension ActionHandlers {
  /// Combines the handlers that stand in a closure into one table; those of one type run in order.
  ///
  /// ```swift
  /// let appReducer = ActionHandlers<AppState> {
  ///   on(SetMovie.self) { state, action in state.movies[action.id] = action.title }
  ///   on(RemoveMovie.self) { state, action in state.movies[action.id] = nil }
  ///   lift(settingsReducer, to: \.settings)
  /// }
  /// ```
  ///
  /// O(n) for n types, once. The compiler looks at each handler by itself, so that a hundred take it no longer than they
  /// would one by one; as arguments of one call of `combine` a dozen are too many for it.
  @inlinable
  public init(@ActionHandlersBuilder<State> _ handlers: () -> ActionHandlers<State>) {
    self = handlers()
  }
}
