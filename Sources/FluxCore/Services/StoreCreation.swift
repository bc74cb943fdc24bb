/// The contexts of the stores that threads are creating.
///
/// The outer closures of a middleware receive no context. While the store calls them, the middleware
/// can read the context of the store here. A task-local value would require that the chain be built
/// in a closure, and the compiler does not specialize a chain that is built in a closure.
@usableFromInline
package enum StoreCreation {
  private static let contexts = Locked<[ThreadIdentity: ActionContext]>([:])

  /// The context of the store that the current thread is creating, or `nil` if the thread is not
  /// calling the outer closures of middleware.
  package static var context: ActionContext? {
    contexts.withLock { $0[.current] }
  }

  /// Sets the context of the store that the current thread is creating.
  ///
  /// - Returns: The previous context, which the caller sets again.
  @usableFromInline
  static func enter(_ context: ActionContext?) -> ActionContext? {
    contexts.withLock { contexts in
      let previous = contexts[.current]
      contexts[.current] = context
      return previous
    }
  }
}
