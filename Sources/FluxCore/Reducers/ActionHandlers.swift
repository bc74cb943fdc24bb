/// A function that changes a state in place for one type of action.
public typealias MutatingHandler<State, Handled: Action> =
  @Sendable (_ state: inout State, _ action: Handled) ->
  Void

/// A function that returns the next state for one type of action.
public typealias Handler<State, Handled: Action> = @Sendable (_ state: State, _ action: Handled) -> State

/// A reducer that looks up a handler by the type of the action.
///
/// ```swift
/// let movies = ActionHandlers<MoviesState> {
///   on(SetMovie.self) { state, action in state.movies[action.id] = action.movie }
///   on(RemoveMovie.self) { state, action in state.movies[action.id] = nil }
/// }
/// let app = lift(movies, to: \AppState.movies)
/// ```
///
/// Because this type is a table and not an opaque function, combining and lifting handlers merges
/// their tables. A single lookup finds the handler, regardless of the number of levels. An action
/// without a handler costs one lookup in total. A handler matches the exact dynamic type of an
/// action. If there are several handlers for one type, the handlers run in the order in which
/// they were combined.
public struct ActionHandlers<State>: Sendable {
  /// The handler for one type of action.
  ///
  /// The struct avoids the thunk that Swift adds to a function in an array.
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

  /// Changes the state for an action, if there is a handler for the action's type.
  ///
  /// A call takes O(1) time in addition to the time of the handler, regardless of the number of
  /// types.
  @inlinable
  public func callAsFunction(_ state: inout State, _ action: any Action) {
    table[action]?.reduce(&state, action)
  }

  /// A reducer function that calls the handlers, and that can be combined with other reducers.
  @inlinable
  public var reducer: MutatingReducer<State> {
    { [self] state, action in self(&state, action) }
  }

  /// Returns a Boolean value that indicates whether there is a handler for a type of action.
  public func handles(_ type: any Action.Type) -> Bool {
    table.contains(type)
  }
}

/// Returns a table with a handler that changes the state in place for one type of action.
///
/// For a handler that returns the next state, use ``onReturning(_:_:)``. `on` and `onReturning`
/// have different names because the compiler locates a mistake in a closure only if the closure
/// has one possible type.
///
/// - Parameters:
///   - type: The exact type of the actions to handle.
///   - handler: A function that changes the state for an action of the given type.
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
/// For a handler that changes the state in place, use ``on(_:_:)``.
///
/// - Parameters:
///   - type: The exact type of the actions to handle.
///   - handler: A function that returns the next state for a state and an action of the given
///     type.
@inlinable
public func onReturning<State, Handled: Action>(
  _ type: Handled.Type, _ handler: @escaping Handler<State, Handled>
) -> ActionHandlers<State> {
  on(type) { state, action in state = handler(state, action) }
}

/// Combines handlers into one table, in which several handlers of one type run in the given
/// order.
///
/// Creating the table takes O(n) time for n types.
@inlinable
public func combine<State>(_ handlers: ActionHandlers<State>...) -> ActionHandlers<State> {
  ActionHandlers(combining: handlers)
}

/// Combines handlers and in-place reducers into one reducer, which runs the handlers first.
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
