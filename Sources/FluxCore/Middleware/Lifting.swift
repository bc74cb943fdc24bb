// Middleware and plug-ins of a part of the state, as those of the whole.

/// Lifts a middleware of a part of the state to the whole.
///
/// ```swift
/// Store(reducer: appReducer, middleware: [lift(thunkMiddleware(), to: { $0.movies })], state: AppState())
/// ```
///
/// It sees every action, and of the state the part.
///
/// - Parameters:
///   - middleware: The middleware of the part.
///   - part: A key path or a closure; `nil` while there is no such part, which reads as if the store had gone.
@inlinable
public func lift<Whole, Part>(
  _ middleware: @escaping Middleware<Part>, to part: @escaping @Sendable (Whole) -> Part?
) -> Middleware<Whole> {
  { dispatch, getState in middleware(dispatch, { getState().flatMap(part) }) }
}

/// Lifts a plug-in of a part of the state to the whole.
///
/// ```swift
/// Store(reducer: appReducer, plugins: [lift(history.plugin, to: \.marks)], state: AppState())
/// ```
///
/// Its middleware and its observer of transitions see every action, and of the states the part. Its reducer wrapper
/// decides about the part alone: the rest of the state is changed by each action exactly once, whatever the wrapper
/// does with it. When the wrapper runs its reducer once more, or with an action of another type than the one that is
/// being reduced, as a history does to repeat an action, then this reduces a copy of the state of which only the part is
/// kept.
///
/// While an action is reduced the part is held twice, so that a collection in it is copied when it changes; what is
/// outside the part changes in place as ever.
@inlinable
public func lift<Whole, Part>(
  _ plugin: Plugin<Part>, to path: any WritableKeyPath<Whole, Part> & Sendable
) -> Plugin<Whole> {
  lift(plugin, get: { $0[keyPath: path] }, set: { whole, part in whole[keyPath: path] = part })
}

/// Lifts a plug-in of a part of the state to the whole, by a pair of closures that get and set the part.
///
/// As with a key path. Where there is no such part at the time, `get` may give a default, and `set` do nothing.
@inlinable
public func lift<Whole, Part>(
  _ plugin: Plugin<Part>, get: @escaping @Sendable (Whole) -> Part,
  set: @escaping @Sendable (inout Whole, Part) -> Void
) -> Plugin<Whole> {
  var lifted = Plugin<Whole>(
    middleware: plugin.middleware.map { middleware in lift(middleware, to: get) },
    wrapReducer: plugin.wrapReducer.map { wrap in
      { @Sendable reducer in lift(wrap, around: reducer, get: get, set: set) }
    },
    onTransition: plugin.onTransition?.lifted(to: get),
    onStoreStart: plugin.onStoreStart,
    onWork: plugin.onWork,
    onStoreEnd: plugin.onStoreEnd.map { end in { @Sendable last in end(get(last)) } })
  lifted.deferral = plugin.deferral
  return lifted
}

extension TransitionObserver {
  @inlinable
  func lifted<Whole>(to get: @escaping @Sendable (Whole) -> State) -> TransitionObserver<Whole> {
    switch kind {
    case .actions(let observe): .actions(observe)
    case .states(let observe):
      .states { transition in
        observe(
          StateTransition(
            action: transition.action, version: transition.version, before: get(transition.before),
            after: get(transition.after), duration: transition.duration, scope: transition.scope))
      }
    }
  }
}

/// Puts the reducer wrapper of a part around the reducer of the whole.
@usableFromInline
func lift<Whole, Part>(
  _ wrap: (@escaping MutatingReducer<Part>) -> MutatingReducer<Part>,
  around reducer: @escaping MutatingReducer<Whole>, get: @escaping @Sendable (Whole) -> Part,
  set: @escaping @Sendable (inout Whole, Part) -> Void
) -> MutatingReducer<Whole> {
  let current = StateBeingReduced<Whole>()
  let wrapped = wrap { part, action in
    current.reduce(action) { whole, isFirst in
      guard isFirst else {
        var copy = whole
        set(&copy, part)
        reducer(&copy, action)
        part = get(copy)
        return
      }
      set(&whole, part)
      reducer(&whole, action)
      part = get(whole)
    }
  }
  return { whole, action in
    var part = get(whole)
    let isReduced = current.lend(&whole, to: action) { wrapped(&part, action) }
    if !isReduced { reducer(&whole, action) }
    set(&whole, part)
  }
}
