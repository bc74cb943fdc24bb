/// The functions with which a ``StoreProxy`` reads a store and subscribes to it.
///
/// A store creates the functions once, in code where the type of the state is statically known,
/// so the compiler specializes them for this type. A proxy therefore consists of references, and
/// creating a proxy of a store allocates no memory. The first argument of each function must be
/// the core that the functions were created for.
@usableFromInline
package final class ProxyFunctions<State: Sendable>: Sendable {
  /// A function that returns the state, and reports the read to the test that created the store.
  @usableFromInline let state: @Sendable (ActionHost) -> State?
  /// A function that returns the state for a context that keeps it, without a report.
  @usableFromInline let keptState: @Sendable (ActionHost) -> State?
  /// A function that calls a closure with the state under the lock of the store, without a report.
  @usableFromInline let borrowState: @Sendable (ActionHost, (State) -> Void) -> Void
  @usableFromInline let subscribe: @Sendable (ActionHost, _StateObserver<State>) -> SubscriptionToken
  @usableFromInline let subscribeOnMain:
    @MainActor @Sendable (ActionHost, _MainStateObserver<State>) -> SubscriptionToken
  let observeTransitions: @Sendable (ActionHost, TransitionObserver<State>) -> SubscriptionToken
  /// The object that identifies the source of the state, or `nil` if it is this object.
  private let source: (any AnyObject & Sendable)?

  /// The object that distinguishes proxies of one state from proxies of other states.
  package var identity: any AnyObject & Sendable { source ?? self }

  /// Creates the functions of a store.
  @inlinable
  convenience init(of type: StoreCore<State>.Type) where State: FluxState {
    let read: @Sendable (ActionHost) -> State? = {
      unsafeDowncast($0, to: StoreCore<State>.self).readState()
    }
    var reported = read
    if let executor = Timeline.executorOfTest {
      reported = { host in
        executor.stepReadsState()
        return read(host)
      }
    }
    self.init(
      state: reported, keptState: read,
      borrowState: { unsafeDowncast($0, to: StoreCore<State>.self).borrowState($1) },
      subscribe: { unsafeDowncast($0, to: StoreCore<State>.self).subscribe($1) },
      subscribeOnMain: { unsafeDowncast($0, to: StoreCore<State>.self).subscribeOnMain($1) },
      observeTransitions: { unsafeDowncast($0, to: StoreCore<State>.self).observeTransitions($1) })
  }

  /// Creates the functions of a part of a state.
  convenience init<Whole>(of whole: ProxyFunctions<Whole>, part: @escaping @Sendable (Whole) -> State?) {
    self.init(
      state: { whole.state($0).flatMap(part) }, keptState: { whole.keptState($0).flatMap(part) },
      borrowState: { host, body in whole.borrowState(host) { part($0).map(body) } },
      subscribe: { whole.subscribe($0, $1.pullback(part)) },
      subscribeOnMain: { whole.subscribeOnMain($0, $1.pullback(part)) },
      observeTransitions: { whole.observeTransitions($0, $1.lifted(toPossible: part)) })
  }

  /// Creates functions that read the same state as other functions, and subscribe differently.
  convenience init(
    reading other: ProxyFunctions,
    subscribe: @escaping @Sendable (_StateObserver<State>) -> SubscriptionToken,
    onMain subscribeOnMain: @escaping @MainActor @Sendable (_MainStateObserver<State>) -> SubscriptionToken
  ) {
    self.init(
      state: other.state, keptState: other.keptState, borrowState: other.borrowState,
      subscribe: { subscribe($1) }, subscribeOnMain: { subscribeOnMain($1) },
      observeTransitions: other.observeTransitions, source: other.identity)
  }

  @usableFromInline
  init(
    state: @escaping @Sendable (ActionHost) -> State?,
    keptState: @escaping @Sendable (ActionHost) -> State?,
    borrowState: @escaping @Sendable (ActionHost, (State) -> Void) -> Void,
    subscribe: @escaping @Sendable (ActionHost, _StateObserver<State>) -> SubscriptionToken,
    subscribeOnMain:
      @escaping @MainActor @Sendable (ActionHost, _MainStateObserver<State>) -> SubscriptionToken,
    observeTransitions: @escaping @Sendable (ActionHost, TransitionObserver<State>) -> SubscriptionToken,
    source: (any AnyObject & Sendable)? = nil
  ) {
    self.state = state
    self.keptState = keptState
    self.borrowState = borrowState
    self.subscribe = subscribe
    self.subscribeOnMain = subscribeOnMain
    self.observeTransitions = observeTransitions
    self.source = source
  }
}
