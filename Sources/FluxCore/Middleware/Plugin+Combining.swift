// Several plug-ins as one, and observers of transitions that do not receive every transition.
//
// The code does not put closures into arrays, and does not pass them to generic functions. Both
// would convert the closures, which would add code that the linker can prefer to the faster
// conversions of the middleware chain.

extension Plugin {
  /// Creates a plug-in that has the effect of several plug-ins, in their order.
  package init(combining plugins: [Plugin]) {
    self.init()
    for plugin in plugins { append(plugin) }
  }

  private mutating func append(_ other: Plugin) {
    if let last = other.middleware { append(last) }
    if let inner = other.wrapReducer {
      if let outer = wrapReducer { wrapReducer = { outer(inner($0)) } } else { wrapReducer = inner }
    }
    if let last = other.onTransition { onTransition = onTransition?.followed(by: last) ?? last }
    if let last = other.onStoreStart {
      let first = onStoreStart
      onStoreStart = { context in
        first?(context)
        last(context)
      }
    }
    if let last = other.onStoreProxy {
      let first = onStoreProxy
      onStoreProxy = { store in
        first?(store)
        last(store)
      }
    }
    if let last = other.onWork {
      let first = onWork
      onWork = {
        first?()
        last()
      }
    }
    if let last = other.onStoreEnd {
      let first = onStoreEnd
      onStoreEnd = { state in
        first?(state)
        last(state)
      }
    }
    if let last = other.deferral {
      if let first = deferral {
        deferral = { context, next in first(context, last(context, next)) }
      } else {
        deferral = last
      }
    }
    if let last = other.firstLink {
      if let first = firstLink { firstLink = { next in first(last(next)) } } else { firstLink = last }
    }
    configuresStore = configuresStore || other.configuresStore
  }

  /// Adds a middleware after the middleware of the plug-in.
  package mutating func append(_ last: @escaping Middleware<State>) {
    guard let first = middleware else {
      middleware = last
      return
    }
    middleware = { dispatch, getState in
      let (outer, inner) = (first(dispatch, getState), last(dispatch, getState))
      return { next in outer(inner(next)) }
    }
  }
}

extension TransitionObserver {
  /// Returns an observer that calls another observer after this observer.
  fileprivate func followed(by other: TransitionObserver) -> TransitionObserver {
    switch (kind, other.kind) {
    case (.actions(let first), .actions(let last)):
      .actions { action, version in
        first(action, version)
        last(action, version)
      }
    case (.actions(let first), .states(let last)):
      .states { transition in
        first(transition.action, transition.version)
        last(transition)
      }
    case (.states(let first), .actions(let last)):
      .states { transition in
        first(transition)
        last(transition.action, transition.version)
      }
    case (.states(let first), .states(let last)):
      .states { transition in
        first(transition)
        last(transition)
      }
    }
  }

  /// Returns an observer for the whole state that receives some of the transitions.
  ///
  /// - Parameters:
  ///   - get: A closure that returns the part of a state.
  ///   - isReceived: A closure that is called once for each transition, in commit order, and
  ///     returns whether the observer receives it.
  package func lifted<Whole>(
    to get: @escaping @Sendable (Whole) -> State, where isReceived: @escaping @Sendable (any Action) -> Bool
  ) -> TransitionObserver<Whole> {
    switch lifted(to: get).kind {
    case .actions(let observe): .actions { if isReceived($0) { observe($0, $1) } }
    case .states(let observe): .states { if isReceived($0.action) { observe($0) } }
    }
  }
}
