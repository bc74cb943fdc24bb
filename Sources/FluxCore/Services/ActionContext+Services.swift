extension ActionContext {
  /// The services of the store, or of the lifted plug-in that received this context.
  ///
  /// ```swift
  /// let films = try context.services((any FilmService).self)
  /// ```
  ///
  /// After the store is released, each look-up throws an error.
  public var services: Services { host.contexts.services(role.number) }

  /// Returns a context with changed services.
  func changingServices(by change: ServiceChange) -> ActionContext {
    ActionContext(host: host, role: role.with(host.contexts.number(of: change, from: role.number)))
  }

  /// Returns a context with the services and the scope of another context of the same store.
  @usableFromInline
  func like(_ other: ActionContext) -> ActionContext {
    ActionContext(host: host, role: role.with(other.role.number))
  }

  /// Returns a context with the same services and its own scope.
  ///
  /// The context exists until ``removeFromStore()`` is called.
  package func adding(_ scope: EffectScope) -> ActionContext {
    ActionContext(host: host, role: role.with(host.contexts.add(scope, from: role.number)))
  }

  /// Removes a context with its own scope.
  ///
  /// After this call, each look-up of a service throws an error.
  package func removeFromStore() {
    host.contexts.remove(role.number)
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

  /// Returns a copy of the proxy with the services and the scope of a context of the same store.
  @usableFromInline
  package func like(_ other: ActionContext) -> StoreProxy {
    var copy = self
    copy.context = context.like(other)
    return copy
  }
}
