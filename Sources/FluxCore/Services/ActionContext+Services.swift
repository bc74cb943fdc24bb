extension ActionContext {
  /// The services of the store, or of the lifted plug-in that received this context.
  ///
  /// ```swift
  /// let films = try context.services((any FilmService).self)
  /// ```
  ///
  /// After the store is released, each look-up throws an error.
  public var services: Services { host.services[role.services] }

  /// Returns a context with changed services.
  func changingServices(by change: ServiceChange) -> ActionContext {
    ActionContext(host: host, role: role.withServices(host.services.number(of: change, from: role.services)))
  }

  /// Returns a context with the services of another context of the same store.
  @usableFromInline
  func withServices(of other: ActionContext) -> ActionContext {
    ActionContext(host: host, role: role.withServices(other.role.services))
  }
}

extension StoreProxy {
  /// The services of the store, or of the lifted plug-in that received this proxy.
  ///
  /// ```swift
  /// let load = ActionPlan<AppState> { store in
  ///   store.dispatch(SetFilms(try await store.services((any FilmService).self).films()))
  /// }
  /// ```
  ///
  /// If the work of an action received the proxy, the error of a failed look-up names the action.
  /// After the store is released, each look-up throws an error.
  public var services: Services { context.services.used(by: user?.serviceUser) }

  /// Returns a copy of the proxy with the services of a context of the same store.
  @usableFromInline
  func withServices(of other: ActionContext) -> StoreProxy {
    var copy = self
    copy.context = context.withServices(of: other)
    return copy
  }
}
