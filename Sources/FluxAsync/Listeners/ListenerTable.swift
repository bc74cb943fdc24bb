import FluxCore

/// What listens, what runs, and what waits: pure, told of events, and saying what to do.
struct ListenerTable<State: Sendable>: Sendable {
  /// A listener that listens, with its place among the others.
  struct Started: Sendable {
    let listener: Listener<State>
    let place: UInt64
  }

  /// Somebody who waits for an action, once.
  struct Waiter: Sendable {
    /// The exact types that are waited for; `nil` is any.
    let types: [ActionType]?
    let subject: ListenerSubject<State>
    let tell: @Sendable (StateTransition<State>) -> Void
  }

  /// A run of a listener's effect.
  struct Run: Sendable {
    let listener: ListenerID
    /// Counts the runs in the order in which their actions were told.
    let number: UInt64
    let job: ListenerJob
  }

  /// What becomes of a run that is to begin.
  enum Beginning: Sendable {
    /// Nobody listens any more, or the listener does not take the action.
    case refused
    /// It is to be started, once the runs have been ended that it takes over from.
    case begun(Run, superseding: [Run])
  }

  /// Those who listen, in the order in which they were started.
  private var started: [Started] = []
  private var places: [ListenerID: UInt64] = [:]
  /// Those who listen for types, and those who listen by a predicate, each in that order.
  private var byType = TypeTable<[Started]>()
  private var byPredicate: [Started] = []
  /// Those who have ended their listening from inside, and may take it up again.
  private var paused: Set<ListenerID> = []
  private var running: [ListenerID: ListenerRuns<Run>] = [:]
  private var waiters = NumberedQueue<Waiter>()
  /// Counts places, runs and waiters.
  private var lastNumber: UInt64 = 0
  private var hasEnded = false

  // MARK: - Listening

  func isListening(_ id: ListenerID) -> Bool { places[id] != nil }

  /// A listener begins to listen, behind all others, unless it listens already.
  mutating func start(_ listener: Listener<State>) {
    guard !hasEnded, places[listener.id] == nil else { return }
    paused.remove(listener.id)
    let new = Started(listener: listener, place: nextNumber())
    places[listener.id] = new.place
    started.append(new)
    enter(new)
  }

  /// A listener is stopped from outside, for good.
  ///
  /// - Returns: Whether there was a listener to stop, and the listener if it was listening.
  mutating func stop(_ id: ListenerID) -> (wasThere: Bool, stopped: Started?) {
    let wasPaused = paused.remove(id) != nil
    let stopped = remove(id)
    return (wasPaused || stopped != nil, stopped)
  }

  /// All listeners are stopped.
  ///
  /// - Returns: The listeners that were listening.
  mutating func clear() -> [Started] {
    defer {
      started = []
      places = [:]
      paused = []
      reenterAll()
    }
    return started
  }

  /// The store has gone; nothing listens any more, whatever is started.
  mutating func end() -> [Started] {
    hasEnded = true
    return clear()
  }

  /// A run ends the listening of its listener.
  mutating func pause(_ id: ListenerID) -> Started? {
    guard let removed = remove(id) else { return nil }
    paused.insert(id)
    return removed
  }

  /// A run takes the listening of its listener up again, unless that was stopped from outside.
  mutating func resume(_ listener: Listener<State>) {
    if paused.contains(listener.id) { start(listener) }
  }

  // MARK: - Actions

  /// Who may want to hear of an action, each in order.
  func candidates(for action: any Action) -> (listeners: [Started], waiters: [Waiter]) {
    let waiting = waiters.filter { $0.types?.contains { $0.matches(action) } ?? true }
    guard let typed = byType[action] else { return (byPredicate, waiting) }
    guard !byPredicate.isEmpty else { return (typed, waiting) }
    return ((typed + byPredicate).sorted { $0.place < $1.place }, waiting)
  }

  /// An action is for a listener; a run of it begins, if it takes the action.
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

  /// Takes the runs of a listener, to cancel them.
  ///
  /// - Parameters:
  ///   - id: The listener.
  ///   - run: If given, only runs that began before this one are taken.
  /// - Returns: The runs, in the order in which they began.
  mutating func takeRuns(of id: ListenerID, before run: Run? = nil) -> [Run] {
    running[id]?.take(before: run?.number ?? .max) ?? []
  }

  /// Takes the runs of all listeners, to cancel them, in the order in which they began.
  mutating func takeAllRuns() -> [Run] {
    running.keys.flatMap { takeRuns(of: $0) }.sorted { $0.number < $1.number }
  }

  /// A run is over.
  mutating func finish(_ run: Run) {
    guard let index = running.index(forKey: run.listener) else { return }
    running.values[index].finish(run.number)
    if running.values[index].isEmpty { running.remove(at: index) }
  }

  // MARK: - Waiting

  /// Somebody begins to wait; returns what to take that back by.
  mutating func wait(
    for subject: ListenerSubject<State>, _ tell: @escaping @Sendable (StateTransition<State>) -> Void
  ) -> UInt64 {
    let id = nextNumber()
    let types: [ActionType]? =
      if case .types(let types) = subject { types.map { ActionType($0) } } else { nil }
    waiters.append(Waiter(types: types, subject: subject, tell: tell), number: id)
    return id
  }

  /// Somebody waits no longer.
  mutating func stopWaiting(_ id: UInt64) -> Waiter? {
    waiters.remove(id)
  }

  // MARK: - Behind the events

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
