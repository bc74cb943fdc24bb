/// The contexts of the stores that threads are creating.
///
/// The outer closures of a middleware receive no context. While the store calls them, the
/// middleware can read the context of the store here. A task-local value would require that the
/// chain be built in a closure. Two calls do not affect the code that builds the chain, which the
/// compiler specializes in the client's module.
@usableFromInline
package enum StoreCreation {
  /// The contexts of each thread, of which the last one is the context of the innermost store.
  private static let contexts = Locked<[ThreadIdentity: [ActionContext?]]>([:])

  /// The context of the store that the current thread is creating, or `nil` if the thread is not
  /// calling the outer closures of middleware.
  package static var context: ActionContext? {
    contexts.withLock { $0[.current]?.last ?? nil }
  }

  /// Calls a closure that calls the outer closures of middleware which join a running store.
  package static func during<Result>(_ context: ActionContext, _ call: () -> Result) -> Result {
    enter(context.ofStore)
    defer { leave() }
    return call()
  }

  /// Begins the calls of the outer closures of a store with services.
  @usableFromInline
  static func begin(_ host: ActionHost, with services: Services) {
    host.contexts.provide(services)
    enter(ActionContext(host: host).ofStore)
  }

  /// Sets the context of the store that the current thread is creating, until the thread calls
  /// ``leave()``.
  static func enter(_ context: ActionContext?) {
    contexts.withLock { $0[.current, default: []].append(context) }
  }

  /// Restores the previous context of the current thread.
  @usableFromInline
  static func leave() {
    let left = contexts.withLock { contexts -> ActionContext? in
      let left = contexts[.current]?.popLast() ?? nil
      if contexts[.current]?.isEmpty == true { contexts[.current] = nil }
      return left
    }
    withExtendedLifetime(left) {}
  }
}
