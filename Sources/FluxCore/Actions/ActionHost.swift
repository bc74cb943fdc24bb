/// A store's core, for those who do not know the type of its state: the work of actions, above all.
@usableFromInline
protocol ActionHost: AnyObject, Sendable {
  var functions: ActionHostFunctions { get }
  var effects: EffectScope { get }
  var attachments: StoreAttachments { get }
  /// A Boolean value that indicates whether a plug-in defers every action.
  var defersActions: Bool { get }

  /// Tells the plug-ins that want to know that an action uses its context.
  func noteWork()

  /// The store, for a type that its state turns out to have.
  func proxy<Part: Sendable>(as type: Part.Type) -> StoreProxy<Part>?
}

/// What a store's core does most often for those who do not know the type of its state.
///
/// The functions are made where that type is known, and so specialised for it. The witnesses of a generic class are not:
/// they would look up at run time each type that they use, which takes longer than what they do. They are given the core
/// that they were made for.
@usableFromInline
final class ActionHostFunctions: Sendable {
  /// The state as it is now, or `nil` when the store has gone.
  @usableFromInline let state: @Sendable (any ActionHost) -> (any FluxState)?
  /// Dispatches through the whole chain.
  @usableFromInline let dispatch: @Sendable (any ActionHost, any Action) -> Void
  @usableFromInline let openBatch: @Sendable (any ActionHost) -> Void
  @usableFromInline let closeBatch: @Sendable (any ActionHost) -> Void
  @usableFromInline let deliverOnMain: @MainActor @Sendable (any ActionHost) -> Void
  /// Whether something is due on the main actor, where nobody delivers now.
  @usableFromInline let isMainBehind: @Sendable (any ActionHost) -> Bool

  @inlinable
  init<State: FluxState>(of type: StoreCore<State>.Type) {
    state = { unsafeDowncast($0, to: StoreCore<State>.self).readState() }
    dispatch = { unsafeDowncast($0, to: StoreCore<State>.self).dispatchThroughChain($1) }
    openBatch = { unsafeDowncast($0, to: StoreCore<State>.self).openBatch() }
    closeBatch = { unsafeDowncast($0, to: StoreCore<State>.self).closeBatch() }
    deliverOnMain = { unsafeDowncast($0, to: StoreCore<State>.self).deliverOnMain() }
    isMainBehind = { unsafeDowncast($0, to: StoreCore<State>.self).isMainBehind }
  }
}
