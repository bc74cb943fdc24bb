// Lifting with other services for the middleware and plug-ins of a part of the state.

/// Lifts a middleware for a part of the state to the whole state, and changes the services that
/// the middleware can look up.
///
/// The middleware behaves like a middleware that ``lift(_:to:)->Middleware<Whole>`` lifts. For
/// example, the thunks that a lifted thunk middleware runs use the changed services.
///
/// - Parameters:
///   - middleware: The middleware for the part.
///   - part: A key path or a closure that returns the part, or `nil` if the part does not exist.
///   - services: A closure that returns the services of the middleware, given the services of the
///     store. The closure is called once for each store, while the store is created.
public func lift<Whole, Part>(
  _ middleware: @escaping Middleware<Part>, to part: @escaping @Sendable (Whole) -> Part?,
  services: @escaping @Sendable (Services) -> Services
) -> Middleware<Whole> {
  lift(ServiceChange(services).lift(middleware), to: part)
}

/// Lifts a plug-in for a part of the state to the whole state, and changes the services that the
/// plug-in can look up.
///
/// ```swift
/// let plugin = lift(listeners.plugin, to: \.movies) { services in
///   services.restricted(to: [(any FilmService).self]).with(IDs.random)
/// }
/// ```
///
/// The listeners, the kept work, and the middleware of the plug-in use the changed services. The
/// work of an action always uses the services of the store, also if the plug-in dispatches the
/// action. In all other respects, the plug-in behaves like a plug-in that is lifted without
/// services. If a plug-in is lifted several times, the outer change is made first.
///
/// - Parameters:
///   - plugin: The plug-in for the part.
///   - path: A key path to the part.
///   - services: A closure that returns the services of the plug-in, given the services of the
///     store. The closure is called at most once for each store, while the store is created.
public func lift<Whole, Part>(
  _ plugin: Plugin<Part>, to path: any WritableKeyPath<Whole, Part> & Sendable,
  services: @escaping @Sendable (Services) -> Services
) -> Plugin<Whole> {
  lift(ServiceChange(services).lift(plugin), to: path)
}

/// Lifts a plug-in for a part of the state to the whole state, with closures that get and set
/// the part, and changes the services that the plug-in can look up.
///
/// The plug-in behaves like a plug-in that is lifted along a key path with the same services.
///
/// - Parameters:
///   - plugin: The plug-in for the part.
///   - get: A closure that returns the part of a state.
///   - set: A closure that changes the part of a state.
///   - services: A closure that returns the services of the plug-in, given the services of the
///     store. The closure is called at most once for each store, while the store is created.
public func lift<Whole, Part>(
  _ plugin: Plugin<Part>, get: @escaping @Sendable (Whole) -> Part,
  set: @escaping @Sendable (inout Whole, Part) -> Void,
  services: @escaping @Sendable (Services) -> Services
) -> Plugin<Whole> {
  lift(ServiceChange(services).lift(plugin), get: get, set: set)
}

extension ServiceChange {
  fileprivate func lift<State>(_ middleware: @escaping Middleware<State>) -> Middleware<State> {
    { dispatch, getState in
      StoreCreation.enter(StoreCreation.context?.changingServices(by: self))
      defer { StoreCreation.leave() }
      return middleware(dispatch, getState)
    }
  }

  fileprivate func lift<State>(_ plugin: Plugin<State>) -> Plugin<State> {
    // The function `Optional.map` would convert the functions, which would add code that the linker
    // can prefer to the faster conversions of the middleware chain.
    var lifted = plugin
    if let middleware = plugin.middleware { lifted.middleware = lift(middleware) }
    if let start = plugin.onStoreStart {
      lifted.onStoreStart = { context in start(context.changingServices(by: self)) }
    }
    if let connect = plugin.onStoreProxy {
      lifted.onStoreProxy = { store in
        connect(store.like(store.context.changingServices(by: self)))
      }
    }
    if let deferral = plugin.deferral {
      lifted.deferral = { context, next in deferral(context.changingServices(by: self), next) }
    }
    return lifted
  }
}
