/// The rules by which actions enter a store's chain, from the start of its construction to the end
/// of the store.
///
/// The value holds no lock. ``StoreCore`` changes it under one, and does outside that lock what a
/// method returns.
///
/// While the chain is being built, the actions of other threads are held: a middleware may wait
/// for such a thread in an outer closure, so the thread cannot wait for the chain. Once the chain
/// is complete, the building thread sends the held actions, and other threads wait for that. As a
/// result, the held actions are finite in number, and each thread's actions are reduced in the
/// order in which the thread dispatched them.
///
/// The type does not depend on the type of the state, so that a dispatch without that type looks
/// up nothing.
@usableFromInline
package enum DispatchChain: Sendable {
  /// A thread is building the chain. `held` contains what other threads have dispatched, in that
  /// order.
  case building(by: ThreadIdentity, held: [HeldAction])
  /// The chain is complete. The thread that built it is sending the held actions.
  case sendingHeld(DispatchFunction, by: ThreadIdentity)
  /// Every action goes to the first link.
  case ready(DispatchFunction)
  /// The store was released.
  case gone

  /// An action that is held, and the dispatch to which it belongs.
  @usableFromInline
  package struct HeldAction: Sendable {
    @usableFromInline package let action: any Action
    @usableFromInline package let dispatch = DeferredDispatch()
  }

  /// What a thread does with an action that it dispatches.
  @frozen @usableFromInline
  package enum Entry: Sendable {
    /// Call the first link with the action.
    case send(DispatchFunction)
    /// Wait until the held actions are sent, then enter again.
    case wait
    /// Return. The building thread sends the action.
    case held
    /// Stop the program: a middleware dispatched while its own chain was being built.
    case misuse
    /// Return. No store is left to receive the action.
    case drop
  }

  /// A thread dispatches an action.
  @inlinable
  package mutating func enter(_ action: any Action, by thread: ThreadIdentity) -> Entry {
    switch self {
    case .ready(let first): return .send(first)
    case .gone: return .drop
    case .sendingHeld(let first, let builder): return builder == thread ? .send(first) : .wait
    case .building(let builder, _):
      if builder == thread { return .misuse }
      hold(action)
      return .held
    }
  }

  /// Holds an action until the chain is complete, whichever thread dispatched it.
  @usableFromInline
  package mutating func hold(_ action: any Action) {
    guard case .building(let builder, var held) = self else { return }
    // The array is changed in place: `self` no longer refers to it.
    self = .gone
    held.append(HeldAction(action: action))
    self = .building(by: builder, held: held)
  }

  /// The building thread completed the chain.
  ///
  /// - Returns: The actions to send, in order, before ``heldActionsSent()``.
  @usableFromInline
  package mutating func completed(_ first: @escaping DispatchFunction) -> [HeldAction] {
    guard case .building(let builder, let held) = self else { return [] }
    self = .sendingHeld(first, by: builder)
    return held
  }

  /// The building thread sent the held actions.
  @usableFromInline
  package mutating func heldActionsSent() {
    if case .sendingHeld(let first, _) = self { self = .ready(first) }
  }
}
