/// A result builder that combines the handlers of a closure into ``ActionHandlers``.
@resultBuilder
public enum ActionHandlersBuilder<State> {
  /// Returns the handlers unchanged.
  @inlinable
  public static func buildExpression(_ handlers: ActionHandlers<State>) -> ActionHandlers<State> { handlers }

  /// Combines the handlers of a block.
  @inlinable
  public static func buildBlock(_ handlers: ActionHandlers<State>...) -> ActionHandlers<State> {
    ActionHandlers(combining: handlers)
  }

  /// Returns the handlers of an `if` statement without an `else`, or an empty table if the
  /// condition is false.
  @inlinable
  public static func buildOptional(_ handlers: ActionHandlers<State>?) -> ActionHandlers<State> {
    handlers ?? ActionHandlers(combining: [])
  }

  /// Returns the handlers of an `if` branch.
  @inlinable
  public static func buildEither(first handlers: ActionHandlers<State>) -> ActionHandlers<State> { handlers }

  /// Returns the handlers of an `else` branch.
  @inlinable
  public static func buildEither(second handlers: ActionHandlers<State>) -> ActionHandlers<State> { handlers }

  /// Returns the handlers of an `if #available` branch.
  @inlinable
  public static func buildLimitedAvailability(_ handlers: ActionHandlers<State>) -> ActionHandlers<State> {
    handlers
  }

  /// Combines the handlers of a loop's iterations.
  @inlinable
  public static func buildArray(_ handlers: [ActionHandlers<State>]) -> ActionHandlers<State> {
    ActionHandlers(combining: handlers)
  }
}

extension ActionHandlers {
  /// Creates a table from the handlers in a closure.
  ///
  /// Several handlers for one type run in the order in which the closure lists them.
  ///
  /// ```swift
  /// let appReducer = ActionHandlers<AppState> {
  ///   on(SetMovie.self) { state, action in state.movies[action.id] = action.title }
  ///   on(RemoveMovie.self) { state, action in state.movies[action.id] = nil }
  ///   lift(settingsReducer, to: \.settings)
  /// }
  /// ```
  ///
  /// Creating the table takes O(n) time for n types. The compiler checks each handler
  /// separately, so a hundred handlers in one closure compile as fast as a hundred separate
  /// handlers. A single `combine` call with a dozen handlers as arguments is too complex for the
  /// compiler.
  @inlinable
  public init(@ActionHandlersBuilder<State> _ handlers: () -> ActionHandlers<State>) {
    self = handlers()
  }
}
