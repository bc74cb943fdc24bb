public import FluxAsync
public import FluxCore
public import FluxMiddleware
import Foundation

/// An object that keeps a part of a client's state in step with a server, also without a
/// connection.
///
/// ```swift
/// let sync = try await ReplicaSync(
///   of: \AppState.list, actions: ActionRegistry(AddItem.self, RenameItem.self),
///   in: FileLog(in: folder), with: server, startingWith: ShoppingList(), reducer: reduceList)
/// let store = Store(reducer: appReducer, plugins: [sync.plugin], state: sync.restored(AppState()))
/// store.dispatch(AddItem(title: "Tea"))
/// ```
///
/// **Actions.** An action whose type is registered belongs to the replica. It is reduced
/// immediately on the shown state, before the reducer of the store receives it. The action is then
/// written to the outbox, and sent to the server. The server orders the actions of all clients.
/// When an action comes back in the server's log, it is confirmed. An action that the server
/// refuses disappears from the shown state, and an ``ActionRefused`` is dispatched.
///
/// **Order.** The server receives the actions of a client in the order in which they were reduced,
/// each action exactly once. Kills of the program, lost answers, and repeated messages do not
/// change this.
///
/// **What a crash can lose.** An action that was reduced is on disk after the next write, which
/// begins immediately. ``written()`` waits until this is so. A written action reaches the server,
/// even if the program is killed.
///
/// **The end of the store.** If the store is released while actions wait, the actions are still
/// written, in their order, and sent after the next start. Before you close the log of the outbox,
/// call ``written()``. If a write that begins after the release fails, it is not repeated. The
/// problem is reported, and the actions that are not on disk are lost.
///
/// **One process.** A ``FileLog`` can be open in one process only, so one process of a device is
/// connected for a replica. In another process, the log throws ``LogError/Code/inUse``. A process
/// that waits in
/// ``FileLog/whenAvailable(in:segmentLimit:usesRestOfDamaged:tryingEvery:clock:)`` takes over when
/// the first process ends.
///
/// **Time travel.** The actions of other clients cannot be undone on this client. If a history
/// puts an older replica into the state, the newer replica is put back, and
/// ``ReplicaError/Code/replaced`` is reported.
///
/// **Costs.** For k pending actions, n received entries take n reductions on the confirmed state
/// and at most k reductions on the shown state. An observer of ``Replica/shown`` is notified once,
/// or not at all if the shown state is unchanged. The client keeps several versions of the shared
/// state. With persistent collections, such as `OrderedState`, these costs do not depend on the
/// size of the state. An array or a dictionary is copied when it changes. For each other action,
/// the plug-in costs one look-up of the action's type. A confirmed action is compared with the
/// server's action. If its type is not `Equatable`, both actions are encoded for this. The
/// confirmed state is saved in the background, after 100 received entries, and after entries that
/// take as many bytes as the saved state.
///
/// You can call every member from any thread.
public final class ReplicaSync<State: Sendable, Shared: Codable & Sendable>: Sendable {
  typealias Rules = Replica<Shared>.Rules

  struct Contents: Sendable {
    var store: StoreProxy<State>?
    var subscription: SubscriptionToken?
    /// The replica that the store has delivered last, unless it was older.
    var replica: Rules
    /// The version of the replica that the store has delivered last.
    var version: UInt64 = 0
    var outbox: OutboxRules
    /// The end of the log of the outbox.
    var end: LogPosition
    /// The entries of a write that failed, and that is repeated without a change.
    var failedWrite: [Data]?
    var saving: SavingRules
    /// The number of the newest action whose result the saved state contains.
    var savedNumber: UInt64
    /// A Boolean value that indicates whether refusals were received that are not reported yet.
    var isReporting = false
    /// A Boolean value that indicates whether the replica neither sends nor receives.
    var isStopped = false
    /// A Boolean value that indicates whether the store was released.
    var hasEnded = false
    /// A Boolean value that indicates whether a write that began after the store's release has
    /// failed, so that the remaining actions are not written.
    var hasStoppedWriting = false
    /// The tasks that wait until an action was written or confirmed.
    var waiting: [Waiting] = []
  }

  /// A task that waits until an action has reached a stage.
  struct Waiting: Sendable {
    let number: UInt64
    let stage: Stage
    let continuation: CheckedContinuation<Void, Never>
  }

  /// A stage of an action.
  enum Stage: Sendable {
    case written, confirmed
  }

  let identity = ReplicaIdentity()
  let outbox: Outbox
  let server: any ReplicaTransport
  let backoff: Backoff
  let onProblem: @Sendable (ReplicaError) -> Void
  let contents: Locked<Contents>
  private let path: any WritableKeyPath<State, Replica<Shared>> & Sendable
  private let reducer: MutatingReducer<Shared>

  /// Reads the outbox, or begins an empty one.
  ///
  /// - Parameters:
  ///   - path: The key path of the replica in the state of the store.
  ///   - actions: The types of the actions that belong to the replica.
  ///   - log: The log of the outbox, which contains only this replica.
  ///   - server: The connection to the server.
  ///   - initial: The shared state before the first entry of the server's log.
  ///   - client: The identity of the client if the outbox is empty. An outbox keeps its identity.
  ///   - backoff: The delay before a failed call is repeated.
  ///   - onProblem: A closure that receives every problem, on the thread on which the problem
  ///     occurred. The default closure writes to standard error.
  ///   - reducer: The reducer of the shared state, which the server uses too.
  /// - Throws: ``ReplicaError/Code/undecodable`` or ``ReplicaError/Code/unwritable``.
  public init(
    of path: any WritableKeyPath<State, Replica<Shared>> & Sendable, actions: ActionRegistry,
    in log: any ActionLog, with server: any ReplicaTransport, startingWith initial: Shared,
    as client: ClientID = .random(), backoff: Backoff = .exponential(jitter: 0.5),
    onProblem: @escaping @Sendable (ReplicaError) -> Void = { LogSink.standardError.write("Flux: \($0)") },
    reducer: @escaping MutatingReducer<Shared>
  ) async throws(ReplicaError) {
    self.path = path
    self.server = server
    self.backoff = backoff
    self.onProblem = onProblem
    self.reducer = reducer
    outbox = Outbox(log, actions)
    let loaded = try await outbox.load(initial, client: client, by: reducer)
    let confirmed = loaded.rules.confirmed
    contents = Locked(
      Contents(
        replica: loaded.rules,
        outbox: OutboxRules(confirmed: confirmed.number, written: loaded.rules.newest), end: loaded.end,
        saving: SavingRules(saved: confirmed.position, count: loaded.savedCount),
        savedNumber: confirmed.number))
  }

  /// Returns a copy of a state that contains the replica of the outbox, for the initial state of a
  /// store.
  public func restored(_ initial: State) -> State {
    var state = initial
    state[keyPath: path] = Replica(contents.withLock { $0.replica })
    return state
  }

  /// The plug-in that reduces the actions of the replica, and sends and receives them.
  ///
  /// Use the plug-in in one store, whose initial state is the result of ``restored(_:)``. If you
  /// use it in a second store, the program stops with a message.
  public var plugin: Plugin<State> {
    var plugin = Plugin<State>(
      wrapReducer: { [self] reducer in
        { [self] state, action in
          reduce(&state, action)
          reducer(&state, action)
        }
      }, onStoreEnd: { [self] _ in end() })
    plugin.onStoreProxy = { [self] store in begin(in: store) }
    return plugin
  }

  // MARK: - The store

  private func reduce(_ state: inout State, _ action: any Action) {
    switch action {
    case let action as ReceiveEntries<Shared> where action.identity === identity:
      state[keyPath: path].receive(action.entries, by: reducer)
    case let action as ReplaceReplica<Shared> where action.identity === identity:
      state[keyPath: path].replace(by: action.rules, by: reducer)
    default:
      guard outbox.actions.name(of: type(of: action)) != nil else { return }
      state[keyPath: path].add(action, by: reducer)
    }
  }

  private func begin(in store: StoreProxy<State>) {
    let isFirst = contents.withLock { contents in
      guard contents.store == nil else { return false }
      contents.store = store
      contents.outbox.connectionChanged(isOnline: true)
      return true
    }
    if !isFirst { Misuse.replicaOfSecondStore(in: State.self) }
    let reader = PartReader(path)
    // While a store is created, code must not dispatch.
    let subscription = store.subscribe(initial: false) { [self] state in
      reader(reading: state) { changed(to: $0.pointee) }
    }
    contents.withLock { $0.subscription = subscription }
    store.context.scope.start { [self] in
      send()
      await receiveAll()
    }
  }

  /// The replica in the store, or `nil` if the store was released.
  var replica: Replica<Shared>? {
    contents.withLock { $0.store }?.state?[keyPath: path]
  }

  /// Handles a replica that the store delivers, unless it has not changed.
  private func changed(to new: Replica<Shared>) {
    let (isOlder, ready) = contents.withLock { contents -> (Bool, [CheckedContinuation<Void, Never>]) in
      guard new.version != contents.version else { return (false, []) }
      contents.version = new.version
      let isSuccessor =
        new.rules.client == contents.replica.client && new.rules.newest >= contents.outbox.newest
        && new.position >= contents.replica.confirmed.position
      guard isSuccessor else { return (true, []) }
      contents.replica = new.rules
      while contents.outbox.newest < new.rules.newest { _ = contents.outbox.add() }
      // The number of a confirmed action was compared with the outbox before.
      try? contents.outbox.confirm(through: new.rules.confirmed.number)
      return (false, contents.takeReady())
    }
    for continuation in ready { continuation.resume() }
    if isOlder { return putBack(insteadOf: new) }
    startWriting()
    saveIfDue()
  }

  /// Replaces a replica that is older than the replica before.
  private func putBack(insteadOf old: Replica<Shared>) {
    let (store, rules) = contents.withLock { ($0.store, $0.replica) }
    store?.dispatch(ReplaceReplica(identity: identity, rules: rules))
    guard !old.isBlank else { return }
    onProblem(
      ReplicaError(.replaced, "An older replica was put into the state. The newer replica was put back."))
  }

  private func end() {
    let (timeline, ready) = contents.withLock { contents in
      contents.isStopped = true
      contents.hasEnded = true
      contents.subscription = nil
      return (contents.store?.context.scope.timeline, contents.takeAll(.confirmed))
    }
    for continuation in ready { continuation.resume() }
    _ = timeline?.startTask { [self] in
      await write()
      await save()
    }
  }

  // MARK: - Waiting

  /// Waits until all actions that were reduced before the call are on disk.
  ///
  /// If the outbox cannot be written, the method waits until a later write succeeds, or until a
  /// write that begins after the store's release fails.
  public func written() async {
    await wait(for: .written)
  }

  /// Waits until the server has confirmed or refused all actions that were reduced before the
  /// call.
  ///
  /// Without a connection, the method waits until there is one. The method also returns if the
  /// store is released, or if the replica stops because of a problem.
  public func confirmed() async {
    await wait(for: .confirmed)
  }

  private func wait(for stage: Stage) async {
    // The store may have reduced actions that it has not delivered yet.
    let reduced = replica?.rules.newest
    await withCheckedContinuation { continuation in
      let isDone = contents.withLock { contents in
        // A store that was released has delivered all actions.
        let newest = reduced ?? (contents.store == nil ? 0 : contents.replica.newest)
        contents.waiting.append(Waiting(number: newest, stage: stage, continuation: continuation))
        return contents.takeReady()
      }
      for continuation in isDone { continuation.resume() }
    }
  }
}

extension ReplicaSync.Contents {
  /// Removes and returns the tasks whose actions have reached the stage that the tasks wait for.
  mutating func takeReady() -> [CheckedContinuation<Void, Never>] {
    take { [outbox, isStopped, hasStoppedWriting] waiting in
      switch waiting.stage {
      case .written: outbox.written >= waiting.number || hasStoppedWriting
      case .confirmed: outbox.confirmed >= waiting.number || isStopped
      }
    }
  }

  /// Removes and returns the tasks that wait for a stage.
  mutating func takeAll(_ stage: ReplicaSync.Stage) -> [CheckedContinuation<Void, Never>] {
    take { $0.stage == stage }
  }

  private mutating func take(
    where isTaken: (ReplicaSync.Waiting) -> Bool
  ) -> [CheckedContinuation<Void, Never>] {
    let taken = waiting.filter(isTaken).map(\.continuation)
    waiting.removeAll(where: isTaken)
    return taken
  }
}
