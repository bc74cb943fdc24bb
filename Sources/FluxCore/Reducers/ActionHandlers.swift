/// A function that changes a state in place for one type of action.
public typealias MutatingHandler<State, Handled: Action> =
  @Sendable (_ state: inout State, _ action: Handled) ->
  Void

/// A function that returns the next state for one type of action.
public typealias Handler<State, Handled: Action> = @Sendable (_ state: State, _ action: Handled) -> State

/// A reducer made of handlers, each for one type of action, found by look-up.
///
/// ```swift
/// let movies = ActionHandlers<MoviesState> {
///   on(SetMovie.self) { state, action in state.movies[action.id] = action.movie }
///   on(RemoveMovie.self) { state, action in state.movies[action.id] = nil }
/// }
/// let app = lift(movies, to: \AppState.movies)
/// ```
///
/// It is a value, not an opaque function: tables merge when they are combined or lifted to a parent state, so that
/// one look-up finds the handler through any number of levels, and an action that nothing handles costs one
/// look-up in all. Matching is by the exact dynamic type of the action. Handlers of one type run in order.
public struct ActionHandlers<State>: Sendable {
  /// The handler of one type, in a struct since a function in a dictionary would be wrapped in a thunk.
  @usableFromInline
  struct Entry: Sendable {
    @usableFromInline let reduce: MutatingReducer<State>

    @inlinable
    init(_ reduce: @escaping MutatingReducer<State>) {
      self.reduce = reduce
    }
  }

  @usableFromInline let table: TypeTable<Entry>

  @inlinable
  init(table: TypeTable<Entry>) {
    self.table = table
  }

  @inlinable
  init(combining handlers: [ActionHandlers]) {
    var table = TypeTable<Entry>()
    for handlers in handlers {
      table.merge(handlers.table) { first, second in
        Entry { state, action in
          first.reduce(&state, action)
          second.reduce(&state, action)
        }
      }
    }
    self.table = table
  }

  /// Changes the state for an action, if there is a handler of the action's type.
  ///
  /// O(1), however many types there are.
  @inlinable
  public func callAsFunction(_ state: inout State, _ action: any Action) {
    table[action]?.reduce(&state, action)
  }

  /// The handlers as a reducer, to be combined with functions.
  @inlinable
  public var reducer: MutatingReducer<State> {
    { [self] state, action in self(&state, action) }
  }

  /// Whether there is a handler of actions of a type.
  public func handles(_ type: any Action.Type) -> Bool {
    table.contains(type)
  }
}

/// Returns a table with a handler that changes the state in place for one type of action.
///
/// A handler that returns the next state is passed to ``onReturning(_:_:)``. The two functions have different
/// names because the compiler reports the mistakes in a closure exactly only if the closure has one possible type.
///
/// - Parameters:
///   - type: The exact type of the actions to handle.
///   - handler: Changes the state for an action of that type.
@inlinable
public func on<State, Handled: Action>(
  _ type: Handled.Type, _ handler: @escaping MutatingHandler<State, Handled>
) -> ActionHandlers<State> {
  var table = TypeTable<ActionHandlers<State>.Entry>()
  let entry = ActionHandlers<State>.Entry { state, action in handler(&state, action.knownToBe(Handled.self)) }
  table.insert(entry, for: type) { first, _ in first }
  return ActionHandlers(table: table)
}

/// Returns a table with a handler that returns the next state for one type of action.
///
/// ```swift
/// onReturning(SetMovie.self, MoviesReducer().setMovie)
/// ```
///
/// A handler that changes the state in place is passed to ``on(_:_:)``.
///
/// - Parameters:
///   - type: The exact type of the actions to handle.
///   - handler: Returns the next state for a state and an action of that type.
@inlinable
public func onReturning<State, Handled: Action>(
  _ type: Handled.Type, _ handler: @escaping Handler<State, Handled>
) -> ActionHandlers<State> {
  on(type) { state, action in state = handler(state, action) }
}

/// Combines handlers into one table; those of one type run in order.
///
/// O(n) for n types, once.
@inlinable
public func combine<State>(_ handlers: ActionHandlers<State>...) -> ActionHandlers<State> {
  ActionHandlers(combining: handlers)
}

/// Combines handlers and in-place reducers, which run after the handlers in order.
@inlinable
public func combine<State>(
  _ handlers: ActionHandlers<State>, _ first: @escaping MutatingReducer<State>,
  _ reducers: MutatingReducer<State>...
) -> MutatingReducer<State> {
  { state, action in
    handlers(&state, action)
    first(&state, action)
    for reducer in reducers { reducer(&state, action) }
  }
}
