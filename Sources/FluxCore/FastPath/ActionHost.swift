/// An interface to a store's core for code that has no access to the type of the state, such as
/// the work of actions.
@usableFromInline
protocol ActionHost: AnyObject, Sendable {
  var functions: ActionHostFunctions { get }
  var effects: EffectScope { get }
  var attachments: StoreAttachments { get }
  var services: ServiceTable { get }
  /// A Boolean value that indicates whether a plug-in defers every action.
  var defersActions: Bool { get }

  /// Notifies the plug-ins that observe work.
  ///
  /// This method is called when the context of an action is used, and when work starts.
  func noteWork()

  /// Returns a proxy of the store that casts the state to a type.
  ///
  /// The method returns `nil` if the state is not of the type.
  func proxy<Part: Sendable>(as type: Part.Type) -> StoreProxy<Part>?
}

/// The most frequent operations of a store's core, for code that has no access to the type of
/// the state.
///
/// The functions are created in code where the type of the state is statically known, so the
/// compiler specializes them for this type. The protocol witnesses of a generic class are not
/// specialized. An unspecialized witness has to look up each type at run time, which takes longer
/// than the operation itself. The argument of each function must be the core that the functions
/// were created for.
@usableFromInline
final class ActionHostFunctions: Sendable {
  /// A function that returns the current state, or `nil` if the store has been released.
  @usableFromInline let state: @Sendable (any ActionHost) -> (any FluxState)?
  /// A function that dispatches an action through the whole chain.
  @usableFromInline let dispatch: @Sendable (any ActionHost, any Action) -> Void
  @usableFromInline let openBatch: @Sendable (any ActionHost) -> Void
  @usableFromInline let closeBatch: @Sendable (any ActionHost) -> Void
  @usableFromInline let deliverOnMain: @MainActor @Sendable (any ActionHost) -> Void
  /// A function that returns whether a state is pending on the main actor while no delivery is
  /// running on the main actor.
  @usableFromInline let isMainBehind: @Sendable (any ActionHost) -> Bool

  /// The executor of the test that created the store, or `nil` if no test controls every step.
  @usableFromInline let executorOfTest: (any StepExecutor)?

  /// The functions of the store's proxies, for a type of state that only the caller knows.
  @usableFromInline let proxyFunctions: any AnyObject & Sendable

  @inlinable
  init<State: FluxState>(of type: StoreCore<State>.Type, _ proxyFunctions: ProxyFunctions<State>) {
    self.proxyFunctions = proxyFunctions
    executorOfTest = Timeline.executorOfTest
    state = { unsafeDowncast($0, to: StoreCore<State>.self).readState() }
    dispatch = { unsafeDowncast($0, to: StoreCore<State>.self).dispatchThroughChain($1) }
    openBatch = { unsafeDowncast($0, to: StoreCore<State>.self).openBatch() }
    closeBatch = { unsafeDowncast($0, to: StoreCore<State>.self).closeBatch() }
    deliverOnMain = { unsafeDowncast($0, to: StoreCore<State>.self).deliverOnMain() }
    isMainBehind = { unsafeDowncast($0, to: StoreCore<State>.self).isMainBehind }
  }
}
