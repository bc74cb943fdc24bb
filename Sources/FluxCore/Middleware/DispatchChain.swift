/// The way into a store's chain, once there is one.
///
/// No part of the generic core, so that who dispatches without knowing the type of the state has nothing to look up.
@usableFromInline
enum DispatchChain: Sendable {
  /// What other threads than the one that builds have dispatched, to be sent once there is a chain.
  case building(by: ThreadIdentity, held: [any Action])
  case ready(DispatchFunction)
  case gone

  /// The chain as it is for an action, which is kept if the chain is being built by another thread.
  @inlinable
  mutating func take(_ action: any Action, by thread: ThreadIdentity) -> Self {
    if case .building(let builder, let held) = self, builder != thread {
      self = .building(by: builder, held: held + [action])
    }
    return self
  }
}
