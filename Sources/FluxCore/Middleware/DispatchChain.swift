/// The rules that determine when actions enter a store's chain, from the time at which the chain
/// is built until the store is released.
///
/// A `DispatchChain` value contains no lock. ``StoreCore`` changes the value under a lock, and
/// executes the returned entry outside the lock.
///
/// While the chain is being built, it holds the actions that other threads dispatch. A
/// dispatching thread must not wait until the chain is complete, because an outer closure of a
/// middleware can wait for that thread. When the chain is complete, the building thread sends the
/// held actions, and dispatches from other threads wait until all held actions have been sent.
/// Therefore, the number of held actions is finite, and the actions of each thread are reduced in
/// the order in which the thread dispatched them.
///
/// This type is not generic, so code that has no access to the type of the state can dispatch
/// without looking up types at run time.
@usableFromInline
package enum DispatchChain: Sendable {
  /// A thread is building the chain.
  ///
  /// The `held` array contains the actions that other threads have dispatched, in the order of
  /// their dispatches.
  case building(by: ThreadIdentity, held: [HeldAction])
  /// The chain is complete, and the thread that built it is sending the held actions.
  case sendingHeld(DispatchFunction, by: ThreadIdentity)
  /// The first link receives every action.
  case ready(DispatchFunction)
  /// The store has been released.
  case gone

  /// A held action, and the dispatch to which the action belongs.
  @usableFromInline
  package struct HeldAction: Sendable {
    @usableFromInline package let action: any Action
    @usableFromInline package let dispatch = DeferredDispatch()
  }

  /// The next step of a thread that dispatches an action.
  @frozen @usableFromInline
  package enum Entry: Sendable {
    /// Call the first link with the action.
    case send(DispatchFunction)
    /// Wait until the held actions have been sent, and then enter the chain again.
    case wait
    /// Return, because the building thread will send the action.
    case held
    /// Stop the program, because a middleware dispatched while its own chain was being built.
    case misuse
    /// Return, because the store has been released.
    case drop
  }

  /// Returns the step for a thread that dispatches an action, and holds the action if
  /// necessary.
  ///
  /// The identity of the thread is read only while the chain is being built.
  @inlinable
  package mutating func enter(_ action: any Action, by thread: @autoclosure () -> ThreadIdentity) -> Entry {
    switch self {
    case .ready(let first): return .send(first)
    case .gone: return .drop
    case .sendingHeld(let first, let builder): return builder == thread() ? .send(first) : .wait
    case .building(let builder, _):
      if builder == thread() { return .misuse }
      hold(action)
      return .held
    }
  }

  /// Holds an action until the chain is complete, regardless of which thread dispatches the
  /// action.
  @usableFromInline
  package mutating func hold(_ action: any Action) {
    guard case .building(let builder, var held) = self else { return }
    // `self` must not refer to the array during the change, so that the array changes in place.
    self = .gone
    held.append(HeldAction(action: action))
    self = .building(by: builder, held: held)
  }

  /// Completes the chain with its first link.
  ///
  /// - Returns: The actions that the building thread must send, in the order of this array,
  ///   before it calls ``heldActionsSent()``.
  @usableFromInline
  package mutating func completed(_ first: @escaping DispatchFunction) -> [HeldAction] {
    guard case .building(let builder, let held) = self else { return [] }
    self = .sendingHeld(first, by: builder)
    return held
  }

  /// Opens the chain to all threads after the building thread has sent the held actions.
  @usableFromInline
  package mutating func heldActionsSent() {
    if case .sendingHeld(let first, _) = self { self = .ready(first) }
  }
}
