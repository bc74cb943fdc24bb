import FluxCore

// The scenarios whose every interleaving is explored. Each has three threads or more, with three
// events or more each, except where the title says otherwise.

extension DeliveryScenario {
  static let all = [
    dispatches, nestedDispatches, subscribing, firstCallsThatDispatch, impatientFirstCalls, cancelling,
    cancellingAgainstALook, batches, nestedBatches, transitions, transitionsAlone,
    transitionObserversThatJoin,
    transitionObserversThatLeaveInside, handingOver,
    handingOverTransitions, handingOverWithThePatienceOfAStore, ending, endingInside, mainActor,
    mainActorNested, mainActorDelivers, mainActorAndBatches,
    mainActorAndTransitions, mainActorAndEnd,
  ]

  static let dispatches = DeliveryScenario(
    title: "three threads dispatch to two observers",
    programs: [
      [.dispatch, .dispatch, .dispatch], [.dispatch, .dispatch, .dispatch],
      [.dispatch, .replaceReducer, .dispatch],
    ],
    observers: [Observer(), Observer()],
    covers: [.committedAndTookOver, .committedAndLeft, .passed, .passedAgain, .reducerReplaced])

  static let nestedDispatches = DeliveryScenario(
    title: "observers dispatch when called",
    programs: [
      [.dispatch, .dispatch, .replaceReducer], [.dispatch, .dispatch, .dispatch],
      [.dispatch, .replaceReducer, .dispatch],
    ],
    observers: [
      Observer(reactions: [[.dispatch], [], [.dispatch, .dispatch]]), Observer(reactions: [[], [.dispatch]]),
    ],
    covers: [.committedAndTookOver, .committedAndLeft, .passedAgain])

  static let subscribing = DeliveryScenario(
    title: "observers come and go while threads dispatch",
    programs: [
      [.subscribe(1), .dispatch, .cancel(1)],
      [.dispatch, .subscribeWithoutFirstCall(2), .dispatch, .cancel(2)],
      [.cancel(1), .subscribe(0), .dispatch, .cancel(0), .dispatch],
    ],
    observers: [Observer(isThere: false), Observer(isThere: false), Observer(isThere: false)],
    covers: [.committedUnobserved, .firstCallAgain, .joined, .observerAdded, .observerRemoved])

  static let firstCallsThatDispatch = DeliveryScenario(
    title: "observers dispatch, cancel and subscribe in their first call",
    programs: [
      [.subscribe(0), .dispatch, .cancel(0)],
      [.dispatch, .subscribe(1), .dispatch],
      [.subscribe(2), .dispatch, .cancel(3)],
    ],
    observers: [
      Observer(isThere: false, reactions: [[.dispatch]]),
      Observer(isThere: false, reactions: [[.cancel(1), .dispatch]]),
      Observer(isThere: false, reactions: [[.subscribe(3)]]),
      Observer(isThere: false),
    ],
    covers: [.firstCallAgain, .joined])

  static let impatientFirstCalls = DeliveryScenario(
    title: "subscribers leave the rest of their first calls to a pass",
    programs: [
      [.subscribe(1), .dispatch, .dispatch], [.dispatch, .dispatch, .subscribe(2)],
      [.dispatch, .dispatch, .dispatch],
    ],
    observers: [Observer(), Observer(isThere: false, reactions: [[.dispatch]]), Observer(isThere: false)],
    patience: 1,
    covers: [.joinedBehind, .offered])

  static let cancelling = DeliveryScenario(
    title: "observers are cancelled from inside, by each other and by other threads",
    programs: [
      [.dispatch, .dispatch, .cancel(3)], [.dispatch, .cancel(0), .cancel(0)],
      [.dispatch, .cancel(3), .dispatch],
    ],
    observers: [
      Observer(reactions: [[.cancel(1)]]), Observer(), Observer(reactions: [[], [.cancel(2), .dispatch]]),
      Observer(),
    ],
    covers: [.observerRemoved, .passedAgain])

  static let cancellingAgainstALook = DeliveryScenario(
    title: "observers are cancelled between a pass's look and its call",
    programs: [
      [.dispatch, .dispatch, .dispatch], [.dispatch, .cancel(0), .dispatch], [.cancel(1), .dispatch, .end],
    ],
    observers: [Observer(reactions: [[.dispatch]]), Observer(), Observer()],
    looksApart: true,
    covers: [.calledAfterLook])

  static let batches = DeliveryScenario(
    title: "batches of several threads overlap",
    programs: [
      [.openBatch, .dispatch, .dispatch, .closeBatch], [.openBatch, .subscribe(1), .dispatch, .closeBatch],
      [.dispatch, .dispatch, .dispatch],
    ],
    observers: [Observer(), Observer(isThere: false)],
    covers: [.batchOpened, .batchFlushed, .batchLeft, .committedInBatch, .joinedBehind])

  static let nestedBatches = DeliveryScenario(
    title: "batches are opened by observers, and in batches, with transitions",
    programs: [
      [.openBatch, .openBatch, .dispatch, .closeBatch, .dispatch, .closeBatch],
      [.dispatch, .cancel(1), .dispatch], [.dispatch, .openBatch, .closeBatch],
    ],
    observers: [Observer(reactions: [[.openBatch, .dispatch, .closeBatch]]), Observer()],
    observesTransitions: true,
    covers: [.batchOpened, .batchFlushed, .batchLeft, .committedInBatch, .transitionsDelivered])

  static let transitions = DeliveryScenario(
    title: "transition observers dispatch, and observers too",
    programs: [
      [.dispatch, .dispatch, .dispatch], [.dispatch, .subscribe(1), .dispatch],
      [.dispatch, .dispatch, .replaceReducer],
    ],
    observers: [Observer(reactions: [[.dispatch]]), Observer(isThere: false)],
    observesTransitions: true,
    transitionReactions: [[.dispatch], [], [.cancel(0)]],
    covers: [.transitionsDelivered, .passedAgain])

  static let transitionsAlone = DeliveryScenario(
    title: "four threads dispatch, and only transitions are observed",
    programs: [
      [.dispatch, .dispatch, .dispatch], [.dispatch, .dispatch, .dispatch],
      [.dispatch, .dispatch, .dispatch],
      [.dispatch, .replaceReducer],
    ],
    observesTransitions: true,
    transitionReactions: [[], [.dispatch]],
    covers: [.transitionsDelivered])

  static let transitionObserversThatJoin = DeliveryScenario(
    title: "an observer of transitions joins and leaves while threads dispatch",
    programs: [
      [.observeTransitions, .dispatch, .ignoreTransitions, .dispatch], [.dispatch, .dispatch, .dispatch],
      [.dispatch, .openBatch, .dispatch, .closeBatch],
    ],
    observers: [Observer(reactions: [[.dispatch]])],
    patience: 1,
    covers: [.transitionObserverAdded, .transitionObserverRemoved, .transitionsDelivered])

  static let transitionObserversThatLeaveInside = DeliveryScenario(
    title: "an observer of transitions leaves inside a call, and joins inside another, until the store ends",
    programs: [
      [.dispatch, .dispatch, .replaceReducer], [.dispatch, .observeTransitions, .dispatch],
      [.replaceReducer, .dispatch, .end],
    ],
    observers: [Observer(reactions: [[.observeTransitions]])],
    observesTransitions: true,
    transitionReactions: [[.ignoreTransitions, .dispatch]],
    covers: [.transitionObserverAdded, .transitionObserverRemoved, .ended, .finished])

  static let handingOver = DeliveryScenario(
    title: "threads hand over after every second pass",
    programs: [
      [.dispatch, .dispatch, .dispatch], [.dispatch, .dispatch, .dispatch],
      [.dispatch, .dispatch, .dispatch],
    ],
    observers: [Observer(reactions: [[.dispatch], [.dispatch]])],
    patience: 1,
    covers: [.offered, .reclaimed, .foundTakenOver])

  static let handingOverTransitions = DeliveryScenario(
    title: "threads hand over while there are transitions, batches and an end",
    programs: [
      [.dispatch, .dispatch, .cancel(0)], [.dispatch, .openBatch, .dispatch, .closeBatch],
      [.dispatch, .dispatch, .end],
    ],
    observers: [Observer(reactions: [[.dispatch]]), Observer()],
    observesTransitions: true,
    patience: 1,
    covers: [.offered, .reclaimed, .foundTakenOver, .finished])

  static let handingOverWithThePatienceOfAStore = DeliveryScenario(
    title: "threads hand over after sixteen passes",
    programs: [
      [.dispatch, .dispatch, .replaceReducer],
      [.dispatch, .dispatch, .replaceReducer],
      [.replaceReducer, .dispatch, .replaceReducer],
    ],
    observers: [Observer(reactions: Array(repeating: [.dispatch], count: 18))],
    covers: [.offered, .reclaimed, .foundTakenOver])

  static let ending = DeliveryScenario(
    title: "the store ends while threads dispatch, subscribe and batch",
    programs: [
      [.dispatch, .dispatch, .end], [.dispatch, .subscribe(1), .dispatch],
      [.openBatch, .dispatch, .closeBatch],
    ],
    observers: [Observer(), Observer(isThere: false)],
    observesTransitions: true,
    covers: [.ended, .finished])

  static let endingInside = DeliveryScenario(
    title: "the store ends inside an observer that is called",
    programs: [
      [.dispatch, .dispatch, .dispatch], [.dispatch, .cancel(1), .dispatch],
      [.subscribe(2), .dispatch, .openBatch, .closeBatch],
    ],
    observers: [Observer(reactions: [[.dispatch], [.end]]), Observer(), Observer(isThere: false)],
    observesTransitions: true,
    looksApart: true,
    covers: [.ended, .finished])

  static let mainActor = DeliveryScenario(
    title: "the main actor delivers what other threads dispatch",
    programs: [
      [.subscribe(0), .dispatchOnMain, .cancel(0), .dispatch],
      [.dispatch, .replaceReducer, .dispatch],
      [.dispatch, .cancel(1), .dispatch],
    ],
    observers: [Observer(lane: .main, isThere: false), Observer(), Observer(lane: .main)],
    mainThread: 0,
    covers: [.mainWoken, .mainPassBegan, .mainPassAgain, .mainPassRefused, .mainPassLeft])

  static let mainActorNested = DeliveryScenario(
    title: "observers on the main actor dispatch, subscribe and empty the mailbox",
    programs: [
      [.dispatchOnMain, .subscribe(1), .emptyMailbox],
      [.dispatch, .dispatch, .replaceReducer],
      [.dispatch, .dispatch, .cancel(0)],
    ],
    observers: [
      Observer(lane: .main, reactions: [[.dispatchOnMain], [.dispatch]]),
      Observer(lane: .main, isThere: false, reactions: [[.dispatchOnMain]]),
    ],
    mainThread: 0,
    patience: 2,
    covers: [.mainWokenAfterPass, .mainPassAgain, .mainPassRefused, .joinedBehind])

  static let mainActorDelivers = DeliveryScenario(
    title: "the main thread delivers to all observers, and they dispatch to the main actor",
    programs: [
      [.dispatchOnMain, .dispatch, .dispatchOnMain],
      [.dispatch, .replaceReducer, .dispatch],
      [.replaceReducer, .dispatch, .cancel(0)],
    ],
    observers: [Observer(lane: .main, reactions: [[.dispatch]]), Observer(reactions: [[.dispatch]])],
    mainThread: 0,
    patience: 1,
    covers: [.mainWoken, .mainWokenAfterPass, .offered])

  static let mainActorAndBatches = DeliveryScenario(
    title: "batches hold back the main actor",
    programs: [
      [.openBatch, .dispatchOnMain, .subscribe(2), .closeBatch, .emptyMailbox],
      [.dispatch, .openBatch, .dispatch, .closeBatch],
      [.dispatch, .replaceReducer, .dispatch],
    ],
    observers: [
      Observer(lane: .main),
      Observer(lane: .main, reactions: [[.openBatch, .dispatch, .closeBatch]]),
      Observer(lane: .main, isThere: false),
    ],
    mainThread: 0,
    covers: [.mainWoken, .mainPassRefused, .batchLeft, .joinedBehind])

  static let mainActorAndTransitions = DeliveryScenario(
    title: "the main actor waits for transitions, and they dispatch",
    programs: [
      [.dispatchOnMain, .subscribe(1), .emptyMailbox],
      [.dispatch, .openBatch, .dispatch, .closeBatch],
      [.dispatch, .replaceReducer, .cancel(0)],
    ],
    observers: [
      Observer(lane: .main, reactions: [[.dispatchOnMain]]), Observer(lane: .main, isThere: false),
    ],
    observesTransitions: true,
    transitionReactions: [[.dispatch]],
    mainThread: 0,
    covers: [.transitionsDelivered, .mainPassBegan, .mainPassRefused, .mainWoken])

  static let mainActorAndEnd = DeliveryScenario(
    title: "the store ends while the main actor delivers",
    programs: [
      [.subscribe(1), .dispatchOnMain, .emptyMailbox],
      [.dispatch, .cancel(0), .end],
      [.dispatch, .replaceReducer, .dispatch],
    ],
    observers: [Observer(lane: .main), Observer(lane: .main, isThere: false, reactions: [[.dispatch]])],
    observesTransitions: true,
    mainThread: 0,
    looksApart: true,
    covers: [.ended, .finished, .mainPassBegan])
}
