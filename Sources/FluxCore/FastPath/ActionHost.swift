public import Synchronization

/// The part of a store's core that does not depend on the type of the state, for code that has no
/// access to this type, such as the work of actions.
//
// The compiler checks only final classes. All properties of this class and of its only subclass are
// constants of Sendable types.
@usableFromInline
class ActionHost: @unchecked Sendable {
  @usableFromInline final let functions: ActionHostFunctions
  @usableFromInline final let effects = EffectScope()
  @usableFromInline final let attachments = StoreAttachments()
  @usableFromInline final let contexts = ContextTable()
  /// A Boolean value that indicates whether a plug-in observes work.
  @usableFromInline final let isWorkObserved: Bool
  /// A Boolean value that indicates whether the first link of the chain defers every action
  /// until the dispatch has returned.
  @usableFromInline final let defersActions: Bool
  /// A Boolean value that indicates whether the scopes of work carry themselves to the first link
  /// of the chain as the senders of their actions.
  @usableFromInline final let carriesSenders = Atomic(false)
  /// A Boolean value that indicates whether the store was released, and its work has ended.
  @usableFromInline final let hasEnded = Atomic(false)

  @inlinable
  init(_ functions: ActionHostFunctions, isWorkObserved: Bool, defersActions: Bool) {
    self.functions = functions
    self.isWorkObserved = isWorkObserved
    self.defersActions = defersActions
  }

  /// Notifies the plug-ins that observe work.
  ///
  /// This method is called when the context of an action is used, and when work starts.
  @inlinable @inline(__always)
  final func noteWork() {
    if isWorkObserved { functions.notifyOfWork(self) }
  }

  /// Returns a proxy of the store that casts the state to a type.
  ///
  /// The method returns `nil` if the state is not of the type.
  @usableFromInline
  func proxy<Part: Sendable>(as type: Part.Type) -> StoreProxy<Part>? { nil }
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
  @usableFromInline let state: @Sendable (ActionHost) -> (any FluxState)?
  /// A function that dispatches an action through the whole chain.
  @usableFromInline let dispatch: @Sendable (ActionHost, any Action) -> Void
  /// A function that notifies the plug-ins that observe work.
  @usableFromInline let notifyOfWork: @Sendable (ActionHost) -> Void
  @usableFromInline let openBatch: @Sendable (ActionHost) -> Void
  @usableFromInline let closeBatch: @Sendable (ActionHost) -> Void
  @usableFromInline let deliverOnMain: @MainActor @Sendable (ActionHost) -> Void
  /// A function that returns whether a state is pending on the main actor while no delivery is
  /// running on the main actor.
  @usableFromInline let isMainBehind: @Sendable (ActionHost) -> Bool

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
    notifyOfWork = { unsafeDowncast($0, to: StoreCore<State>.self).notifyOfWork() }
    openBatch = { unsafeDowncast($0, to: StoreCore<State>.self).openBatch() }
    closeBatch = { unsafeDowncast($0, to: StoreCore<State>.self).closeBatch() }
    deliverOnMain = { unsafeDowncast($0, to: StoreCore<State>.self).deliverOnMain() }
    isMainBehind = { unsafeDowncast($0, to: StoreCore<State>.self).isMainBehind }
  }
}
