import FluxCore

/// A store and the threads that use it, between two steps.
///
/// A step is one critical section under the store's lock, or one call of one observer outside it,
/// as in `StoreCore`. A call lasts until the next step of its thread. The properties that are not
/// in the store record the actual events, and the invariants are checked against them.
struct DeliveryModel: Hashable {
  /// An observer, with the rules of `Observer`.
  struct Observer: Hashable {
    var status = Status.absent
    /// The newest version that the observer received; the greatest number while passes skip it.
    var seen = UInt8.max
    var isToldToGo = false
    var isRunning = false
    var lastVersion: UInt8 = 0
    var calls: UInt8 = 0
  }

  enum Status: Hashable {
    case absent
    case starting
    case active
    case cancelled
  }

  /// A pass, over the list of observers as it was when the pass began.
  struct Pass: Hashable {
    let lane: DeliveryLane
    let version: UInt8
    let slots: [UInt8]
    var position: UInt8 = 0
    var isCalling = false
    /// Whether the observer in this slot was found to need a call.
    var hasLooked = false
    var lastCalled: UInt8?
  }

  /// A subscriber that makes its observer's first call.
  struct FirstCall: Hashable {
    let observer: UInt8
    var version: UInt8
    var calls: UInt8 = 0
    var isCalling = false
  }

  /// Operations that are not in a thread's program.
  enum Script: Hashable {
    case reaction(observer: UInt8, call: UInt8)
    case transitionReaction(version: UInt8)
    case dispatchOnMain
  }

  /// The operation that a thread is executing.
  enum Frame: Hashable {
    case script(Script, position: UInt8)
    case firstCall(FirstCall)
    case pass(Pass)
    case transitions([UInt8], position: UInt8)
    case offer
    case finish
    /// Writes a state that has already been delivered, as a mistake.
    case lateCommit
  }

  struct Thread: Hashable {
    var position: UInt8 = 0
    var frames: [Frame] = []
  }

  var rules: DeliveryRules
  var isLive = true
  var observers: [Observer]
  var list: [UInt8] = []
  var mainList: [UInt8] = []
  var queuedTransitions: [UInt8] = []
  var mainTasks: UInt8 = 0
  var threads: [Thread]

  var openBatches: UInt8 = 0
  var lastTransition: UInt8 = 0
  /// Whether the store has an observer of transitions.
  var hasTransitionObserver: Bool
  /// The versions that were committed while the store had an observer of transitions, and that were
  /// not delivered.
  var expectedTransitions: [UInt8] = []
  var isTransitionRunning = false
  var hasFinished = false
  /// The number of versions that were delivered before they were in the store, which is 0 without
  /// a mistake.
  var lateCommits: UInt8 = 0

  init(_ scenario: DeliveryScenario, mistake: DeliveryRules.Mistake?) {
    rules = DeliveryRules(scenario, mistake: mistake)
    hasTransitionObserver = scenario.observesTransitions
    threads = scenario.programs.map { _ in Thread() }
    observers = scenario.observers.map { _ in Observer() }
    for (index, observer) in scenario.observers.enumerated() where observer.isThere {
      insert(UInt8(index), lane: observer.lane)
      join(UInt8(index), seen: 0)
      observers[index].lastVersion = 0
    }
  }

  var version: UInt8 { UInt8(rules.machine.version) }
}

/// A description of a broken invariant.
struct DeliveryViolation: Error, Hashable {
  let text: String

  init(_ text: String) {
    self.text = text
  }
}

// MARK: - The list of observers, as in `ObserverList` and `Observer`

extension DeliveryModel {
  mutating func insert(_ observer: UInt8, lane: DeliveryLane) {
    switch lane {
    case .anyThread: insert(observer, into: \.list)
    case .main: insert(observer, into: \.mainList)
    }
    observers[Int(observer)].status = .starting
    rules.machine.observerAdded(on: lane)
  }

  private mutating func insert(_ observer: UInt8, into list: WritableKeyPath<DeliveryModel, [UInt8]>) {
    if rules.mistake == .passesInAnyOrder { return self[keyPath: list].append(observer) }
    let place = self[keyPath: list].firstIndex { $0 > observer } ?? self[keyPath: list].count
    self[keyPath: list].insert(observer, at: place)
  }

  mutating func join(_ observer: UInt8, seen version: UInt8) {
    observers[Int(observer)].status = .active
    observers[Int(observer)].seen = version
  }

  mutating func remove(_ observer: UInt8, lane: DeliveryLane) -> Bool {
    let isListed = lane == .main ? mainList.contains(observer) : list.contains(observer)
    guard isListed else { return false }
    if rules.mistake != .keepsTheCancelledInTheList {
      list.removeAll { $0 == observer }
      mainList.removeAll { $0 == observer }
    }
    markAsGone(observer, unless: .callsWhatWasCancelled)
    rules.machine.observerRemoved(from: lane)
    return true
  }

  mutating func markAsGone(_ observer: UInt8, unless mistake: DeliveryRules.Mistake) {
    observers[Int(observer)].isToldToGo = true
    if rules.mistake == mistake { return }
    observers[Int(observer)].status = .cancelled
    observers[Int(observer)].seen = .max
  }

  /// Whether a pass has to call the observer.
  func takes(_ observer: UInt8, _ version: UInt8) -> Bool {
    let observer = observers[Int(observer)]
    if rules.mistake == .callsWhoseFirstCallIsRunning && observer.isRunning {
      return observer.status == .starting && observer.lastVersion < version
    }
    if rules.mistake == .forgetsWhatWasSeen && observer.status == .active { return true }
    return observer.seen < version
  }
}

// MARK: - The observer of transitions, as in `StoreCore.observeTransitions(_:)`

extension DeliveryModel {
  mutating func changeTransitionObserver(
    by operation: DeliveryScenario.Operation, _ context: inout Context
  ) {
    guard isLive else { return }
    if case .observeTransitions = operation {
      hasTransitionObserver = true
    } else {
      hasTransitionObserver = false
    }
    rules.transitionsAreObserved(hasTransitionObserver)
    context.events.insert(hasTransitionObserver ? .transitionObserverAdded : .transitionObserverRemoved)
  }
}
