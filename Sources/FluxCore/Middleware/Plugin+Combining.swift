// Several plug-ins as one, and observers of transitions that do not receive every transition.

extension Plugin {
  /// Creates a plug-in that has the effect of several plug-ins, in their order.
  package init(combining plugins: [Plugin]) {
    self.init(
      middleware: Self.combined(plugins.compactMap(\.middleware)),
      wrapReducer: plugins.contains { $0.wrapReducer != nil } ? plugins.wrap : nil,
      onTransition: .combining(plugins.compactMap(\.onTransition)))
    let (starts, proxies) = (plugins.compactMap(\.onStoreStart), plugins.compactMap(\.onStoreProxy))
    let (works, ends) = (plugins.compactMap(\.onWork), plugins.compactMap(\.onStoreEnd))
    let (deferrals, firstLinks) = (plugins.compactMap(\.deferral), plugins.compactMap(\.firstLink))
    if !starts.isEmpty { onStoreStart = { context in for start in starts { start(context) } } }
    if !proxies.isEmpty { onStoreProxy = { store in for connect in proxies { connect(store) } } }
    if !works.isEmpty { onWork = { for note in works { note() } } }
    if !ends.isEmpty { onStoreEnd = { last in for end in ends { end(last) } } }
    if !deferrals.isEmpty {
      deferral = { context, next in deferrals.reversed().reduce(next) { $1(context, $0) } }
    }
    if !firstLinks.isEmpty { firstLink = { next in firstLinks.reversed().reduce(next) { $1($0) } } }
    configuresStore = plugins.contains { $0.configuresStore }
  }

  /// Returns a middleware that passes each action through several middleware, or `nil` if there are
  /// none.
  package static func combined(_ middleware: [Middleware<State>]) -> Middleware<State>? {
    if middleware.isEmpty { return nil }
    return { dispatch, getState in
      let links = middleware.map { $0(dispatch, getState) }
      return { next in links.reversed().reduce(next) { next, link in link(next) } }
    }
  }
}

extension TransitionObserver {
  /// Returns an observer that calls several observers in their order, or `nil` if there are none.
  fileprivate static func combining(_ observers: [TransitionObserver]) -> TransitionObserver? {
    if observers.count < 2 { return observers.first }
    let needsStates = observers.contains { if case .states = $0.kind { true } else { false } }
    guard needsStates else {
      return .actions { action, version in
        for observer in observers {
          if case .actions(let observe) = observer.kind { observe(action, version) }
        }
      }
    }
    return .states { transition in
      for observer in observers {
        switch observer.kind {
        case .actions(let observe): observe(transition.action, transition.version)
        case .states(let observe): observe(transition)
        }
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
