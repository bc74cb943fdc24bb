import FluxCore

/// A value that contains listeners, their runs, and suspended method calls, and that responds to
/// events with instructions.
struct ListenerTable<State: Sendable>: Sendable {
  /// An active listener, and a number that determines its order among the active listeners.
  struct Started: Sendable {
    let listener: Listener<State>
    let place: UInt64
  }

  /// A suspended method call that waits for one action.
  struct Waiter: Sendable {
    /// The exact types of matching actions, or `nil` if an action of any type can match.
    let types: [ActionType]?
    let subject: ListenerSubject<State>
    let tell: @Sendable (StateTransition<State>) -> Void
  }

  /// A run of a listener's effect.
  struct Run: Sendable {
    let listener: ListenerID
    /// The number of the run.
    ///
    /// Runs are numbered in the order in which the table received their actions.
    let number: UInt64
    let job: ListenerJob
  }

  /// The instruction for a run that is about to begin.
  enum Beginning: Sendable {
    /// The listener is no longer active, or its ``ListenerTaking`` rule ignores the action.
    case refused
    /// The run must be started after the superseded runs are canceled.
    case begun(Run, superseding: [Run])
  }

  /// The active listeners, in the order in which they were started.
  private var started: [Started] = []
  private var places: [ListenerID: UInt64] = [:]
  /// The active listeners for certain action types, in the order in which they were started.
  private var byType = TypeTable<[Started]>()
  private var byPredicate: [Started] = []
  /// The listeners that were unsubscribed by their own runs, and that these runs can subscribe
  /// again.
  private var paused: Set<ListenerID> = []
  private var running: [ListenerID: ListenerRuns<Run>] = [:]
  private var waiters = NumberedQueue<Waiter>()
  /// The number that was most recently assigned to a listener, a run, or a suspended method call.
  private var lastNumber: UInt64 = 0
  private var hasEnded = false

  // MARK: - Listening

  func isListening(_ id: ListenerID) -> Bool { places[id] != nil }

  /// Adds a listener after all other listeners, unless the listener is already active.
  mutating func start(_ listener: Listener<State>) {
    guard !hasEnded, places[listener.id] == nil else { return }
    paused.remove(listener.id)
    let new = Started(listener: listener, place: nextNumber())
    places[listener.id] = new.place
    started.append(new)
    enter(new)
  }

  /// Stops a listener, so that its own runs cannot subscribe it again.
  ///
  /// - Returns: A Boolean value that indicates whether there was a listener to stop, and the
  ///   listener if it was active.
  mutating func stop(_ id: ListenerID) -> (wasThere: Bool, stopped: Started?) {
    let wasPaused = paused.remove(id) != nil
    let stopped = remove(id)
    return (wasPaused || stopped != nil, stopped)
  }

  /// Stops all listeners.
  ///
  /// - Returns: The listeners that were active before the call.
  mutating func clear() -> [Started] {
    defer {
      started = []
      places = [:]
      paused = []
      reenterAll()
    }
    return started
  }

  /// Stops all listeners when the store is released.
  ///
  /// After the call, no listener can be started.
  mutating func end() -> [Started] {
    hasEnded = true
    return clear()
  }

  /// Unsubscribes a listener, and allows its own runs to subscribe it again.
  mutating func pause(_ id: ListenerID) -> Started? {
    guard let removed = remove(id) else { return nil }
    paused.insert(id)
    return removed
  }

  /// Subscribes a listener again after one of its runs has unsubscribed it, unless other code
  /// has stopped the listener.
  mutating func resume(_ listener: Listener<State>) {
    if paused.contains(listener.id) { start(listener) }
  }

  // MARK: - Actions

  /// Returns the listeners and the suspended method calls that an action can match.
  ///
  /// Both arrays are in the order in which their elements were added.
  func candidates(for action: any Action) -> (listeners: [Started], waiters: [Waiter]) {
    let waiting = waiters.filter { $0.types?.contains { $0.matches(action) } ?? true }
    guard let typed = byType[action] else { return (byPredicate, waiting) }
    guard !byPredicate.isEmpty else { return (typed, waiting) }
    return ((typed + byPredicate).sorted { $0.place < $1.place }, waiting)
  }

  /// Begins a run of a listener, if the listener is active and its ``ListenerTaking`` rule
  /// allows the run.
  mutating func begin(_ started: Started, _ job: ListenerJob) -> Beginning {
    let id = started.listener.id
    guard places[id] == started.place else { return .refused }
    var superseded: [Run] = []
    switch started.listener.taking {
    case .every: break
    case .latest: superseded = takeRuns(of: id)
    case .leading: if running[id] != nil { return .refused }
    case .once: _ = pause(id)
    }
    let run = Run(listener: id, number: nextNumber(), job: job)
    running[id, default: ListenerRuns()].begin(run, number: run.number)
    return .begun(run, superseding: superseded)
  }

  /// Returns the runs of a listener that no earlier call has returned, so that the caller can
  /// cancel these runs.
  ///
  /// - Parameters:
  ///   - id: The identity of the listener.
  ///   - run: A run that began after all returned runs, or `nil` to return all runs.
  /// - Returns: The runs, in the order in which they began.
  mutating func takeRuns(of id: ListenerID, before run: Run? = nil) -> [Run] {
    running[id]?.take(before: run?.number ?? .max) ?? []
  }

  /// Returns all runs that no earlier call has returned, so that the caller can cancel these
  /// runs.
  ///
  /// The runs are in the order in which they began.
  mutating func takeAllRuns() -> [Run] {
    running.keys.flatMap { takeRuns(of: $0) }.sorted { $0.number < $1.number }
  }

  /// Removes a run that is over.
  mutating func finish(_ run: Run) {
    guard let index = running.index(forKey: run.listener) else { return }
    running.values[index].finish(run.number)
    if running.values[index].isEmpty { running.remove(at: index) }
  }

  // MARK: - Waiting

  /// Adds a suspended method call, and returns the number of the call.
  mutating func wait(
    for subject: ListenerSubject<State>, _ tell: @escaping @Sendable (StateTransition<State>) -> Void
  ) -> UInt64 {
    let id = nextNumber()
    let types: [ActionType]? =
      if case .types(let types) = subject { types.map { ActionType($0) } } else { nil }
    waiters.append(Waiter(types: types, subject: subject, tell: tell), number: id)
    return id
  }

  /// Removes a suspended method call.
  mutating func stopWaiting(_ id: UInt64) -> Waiter? {
    waiters.remove(id)
  }

  // MARK: - Helpers

  private mutating func nextNumber() -> UInt64 {
    lastNumber += 1
    return lastNumber
  }

  private mutating func remove(_ id: ListenerID) -> Started? {
    guard places.removeValue(forKey: id) != nil,
      let index = started.firstIndex(where: { $0.listener.id == id })
    else { return nil }
    let removed = started.remove(at: index)
    reenterAll()
    return removed
  }

  private mutating func enter(_ started: Started) {
    switch started.listener.subject {
    case .types(let types):
      for type in types { byType.insert([started], for: type, uniquingWith: +) }
    case .predicate: byPredicate.append(started)
    }
  }

  private mutating func reenterAll() {
    byType = TypeTable()
    byPredicate = []
    for started in started { enter(started) }
  }
}
