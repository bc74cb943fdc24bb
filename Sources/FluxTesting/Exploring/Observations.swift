/// The observations of the tasks of an order, as hashes.
///
/// The next steps of a task depend only on its observations, if tasks affect each other only by the
/// states of stores, by calls, and by the clock. Two orders continue in the same way if their
/// stores, their pending events, and their observations are equal.
///
/// A task observes the states of stores and the time only in steps that read them. The context of a
/// request keeps the state from the beginning of an attempt. If a later step reads the kept state,
/// the observations of earlier steps were incomplete, and the ``extent`` grows. Moments with
/// different extents cannot be compared.
struct Observations: Sendable {
  /// The parts of an order that count as observed by tasks.
  struct Extent: OptionSet, Hashable, Sendable {
    let rawValue: Int

    /// Each step observes the states of the stores at its beginning.
    static let everyStep = Extent(rawValue: 1)
    /// Later steps can observe all earlier actions.
    static let history = Extent(rawValue: 2)
    /// Other steps can observe the order in which work begins and ends.
    static let beginningsAndEnds = Extent(rawValue: 4)
  }

  /// The parts that count as observed, which grow while tasks show what they can observe.
  private(set) var extent: Extent

  /// A hash of what each task has observed, for each task that has not ended, by the hash of its
  /// name.
  private var observed: [UInt64: UInt64] = [:]
  /// The number of the step in which a task last kept a state.
  private var keptInStep: [UInt64: Int] = [:]
  private var history: UInt64 = 0

  /// The task that performs the present step, or `nil` between steps.
  private var running: UInt64?
  private var step = 0
  private var statesAtBeginning: UInt64 = 0
  private var time: UInt64 = 0
  private var hasReadStates = false
  private var hasReadTime = false
  /// A Boolean value that indicates whether the present step is the first step of work.
  private var beginsWork = false
  /// A Boolean value that indicates whether the present step is the last step of a canceled task.
  private var endsCanceledTask = false
  /// A Boolean value that indicates whether the present step affects other steps, or depends on
  /// other steps.
  private var affectsOthers = false
  /// The work that began with a step that did not affect other steps, and the tasks that the work
  /// has started.
  private var begunWithoutEffect: Set<UInt64> = []
  /// A hash of the states after each action of the present step.
  private var reductions: UInt64 = 0
  /// The hash of the last event that the driver performed.
  private var event: UInt64 = 0

  init(_ extent: Extent = []) { self.extent = extent }

  // MARK: Steps

  /// Records that a task begins a step.
  ///
  /// - Parameters:
  ///   - task: The hash of the task's name.
  ///   - states: The hash of the states of all stores.
  ///   - time: The hash of the time.
  ///   - readsStates: A Boolean value that indicates whether the step counts as a step that reads
  ///     the states.
  mutating func stepBegan(of task: UInt64, states: UInt64, time: UInt64, readsStates: Bool = false) {
    running = task
    step += 1
    statesAtBeginning = states
    self.time = time
    (hasReadStates, hasReadTime) = (false, false)
    (beginsWork, endsCanceledTask, affectsOthers) = (false, false, false)
    reductions = 0
    if readsStates || extent.contains(.everyStep) { observeStates() }
  }

  /// Records that the present step has ended.
  ///
  /// - Returns: A Boolean value that indicates whether the step has the same effect before and
  ///   after each event that can happen instead of the step.
  mutating func stepEnded() -> Bool {
    defer { running = nil }
    guard let running, !affectsOthers else { return false }
    if beginsWork { begunWithoutEffect.insert(running) }
    // Work that has begun can later read the states that its context keeps from its first step.
    let isBeginning = beginsWork && !extent.contains(.everyStep)
    return (isBeginning || endsCanceledTask) && !extent.contains(.beginningsAndEnds)
  }

  /// Records that the present step is the first step of work.
  mutating func workBegan() { beginsWork = true }

  /// Records that the present step is the last step of its task.
  ///
  /// - Parameter isCancelled: A Boolean value that indicates whether the task was canceled.
  mutating func taskEnded(isCancelled: Bool) {
    guard let running else { return }
    observed[running] = nil
    keptInStep[running] = nil
    endsCanceledTask = isCancelled
  }

  /// Records that the present step affects other steps, or depends on other steps.
  ///
  /// A first step without effect counts as a step that can happen after each other event. If a
  /// cancellation happens first, the code of the work does not run. Therefore, code that runs after
  /// a cancellation must not have effects.
  ///
  /// - Parameter isCancelled: A Boolean value that indicates whether the task of the step was
  ///   canceled.
  mutating func stepAffectsOthers(isCancelled: Bool) {
    guard let running else { return }
    affectsOthers = true
    if isCancelled, begunWithoutEffect.contains(running) { extent.insert(.beginningsAndEnds) }
  }

  /// Records that other steps can observe the order in which work begins and ends.
  mutating func beginningsAndEndsAreObserved() { extent.insert(.beginningsAndEnds) }

  /// Records that the present step reads a state, which depends only on the states at the beginning
  /// of the step and on the step itself.
  mutating func stepReadsStates(isCancelled: Bool) {
    stepAffectsOthers(isCancelled: isCancelled)
    observeStates()
  }

  private mutating func observeStates() {
    guard running != nil, !hasReadStates else { return }
    hasReadStates = true
    observe(statesAtBeginning)
  }

  /// Records that the present step reads the time.
  mutating func stepReadsTime(isCancelled: Bool) {
    stepAffectsOthers(isCancelled: isCancelled)
    guard running != nil, !hasReadTime else { return }
    hasReadTime = true
    observe(time)
  }

  /// Records that the present step keeps the state for a context.
  mutating func stepKeepsState() {
    if let running { keptInStep[running] = step }
  }

  /// Records that the present step reads the state that a context keeps.
  mutating func stepReadsKeptState(isCancelled: Bool) {
    stepAffectsOthers(isCancelled: isCancelled)
    guard let running else { return }
    if keptInStep[running] == step { observeStates() } else { extent.insert(.everyStep) }
  }

  private mutating func observe(_ hash: UInt64) {
    guard let running else { return }
    observed[running] = mix(observed[running, default: 0], hash)
  }

  // MARK: Events

  /// Records that the driver performs an event.
  mutating func happened(_ event: UInt64) { self.event = event }

  /// Records that a step has become ready because of the present event or the present step.
  ///
  /// The present step determines the actions that it dispatches, but not the states after them.
  ///
  /// - Parameters:
  ///   - task: The hash of the task's name.
  ///   - isNew: A Boolean value that indicates whether the step is the first step of its task.
  ///   - isCancelled: A Boolean value that indicates whether the task of the present step was
  ///     canceled.
  mutating func stepIsReady(of task: UInt64, isNew: Bool, isCancelled: Bool) {
    if !isNew || isCancelled { stepAffectsOthers(isCancelled: isCancelled) }
    if isNew, let running, beginsWork && !affectsOthers || begunWithoutEffect.contains(running) {
      begunWithoutEffect.insert(task)
    }
    let cause = running.map { mix(observed[$0, default: 0], reductions) } ?? event
    observed[task] = mix(observed[task, default: 0], cause)
  }

  /// Records that a store has reduced an action.
  mutating func reduced(to states: UInt64) { reductions = mix(reductions, states) }

  /// Records an action, if later steps can observe earlier actions.
  mutating func dispatched(_ action: UInt64) { history = mix(history, action) }

  /// Records that an object keeps earlier actions or states.
  mutating func historyIsKept() { extent.insert(.history) }

  // MARK: Moments

  /// Adds the observations to a hash.
  func hash(into hasher: inout Hasher) {
    hasher.combine(observed.reduce(0) { $0 &+ mix($1.key, $1.value) })
    if extent.contains(.history) { hasher.combine(history) }
  }

  private func mix(_ first: UInt64, _ second: UInt64) -> UInt64 {
    var numbers = SeededNumbers(seed: first ^ (second &* 0x9e37_79b9_7f4a_7c15))
    return numbers.next()
  }
}
