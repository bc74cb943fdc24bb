import FluxCore

/// The work of a store that is on its way, by its ids.
final class WorkLanes: Sendable {
  fileprivate struct Lane {
    var rules = WorkLane()
    var works: [WorkLane.Number: Work] = [:]
    /// The same, by their scopes.
    var numbers: [ObjectIdentifier: WorkLane.Number] = [:]
    /// What was cancelled or has come to its result, and may be dispatching still.
    var loud: [WorkLane.Number: Work] = [:]

    mutating func insert(_ work: Work) {
      works[work.number] = work
      numbers[ObjectIdentifier(work.scope)] = work.number
    }

    mutating func remove(_ work: Work) {
      works[work.number] = nil
      numbers[ObjectIdentifier(work.scope)] = nil
    }

    /// The work to which a scope belongs.
    func work(around scope: EffectScope) -> Work? {
      guard !works.isEmpty else { return nil }
      return scope.andOuter.lazy.compactMap { numbers[ObjectIdentifier($0)] }.first.flatMap { works[$0] }
    }
  }

  fileprivate struct Contents {
    var lanes: [WorkID: Lane] = [:]
    var nextNumber: WorkLane.Number = 0
    /// How many lanes there may be before those are looked for that are idle.
    var sweepsAt = 64
  }

  private let contents = Locked(Contents())

  /// Notes that a piece of work has arrived, and marks the work that it replaces as cancelled.
  ///
  /// - Returns: The work with its number, what becomes of it, and the work before it, which the new work has to
  ///   ``Work/follow(_:)`` before it begins.
  func arrived(_ make: (WorkLane.Number) -> Work, _ policy: WorkPolicy, at now: Duration) -> (
    Work, WorkLane.Step, MarkedWork
  ) {
    let (work, response, others) = contents.withLock { contents in
      contents.nextNumber += 1
      let work = make(contents.nextNumber)
      contents.sweep(at: now)
      let response = contents.lanes[work.id, default: Lane()].rules.arrived(work.number, policy, at: now)
      if response.step != .drops { contents.lanes[work.id]?.insert(work) }
      return (work, response, contents.others(before: work, policy, response))
    }
    return (work, response.step, MarkedWork(others))
  }

  /// A piece of work has waited as long as it was told to; cancels what it takes the place of.
  func woke(_ work: Work, _ policy: WorkPolicy, at now: Duration) -> WorkLane.Step {
    let (response, others) = contents.withLock { contents -> (WorkLane.Response, OtherWork) in
      guard let response = contents.lanes[work.id]?.rules.woke(work.number, at: now) else {
        return (WorkLane.Response(step: .drops), OtherWork())
      }
      return (response, contents.others(before: work, policy, response))
    }
    work.follow(MarkedWork(others))
    return response.step
  }

  /// A piece of work has ended; lets the next begin.
  func finished(_ work: Work) {
    let next = contents.withLock { contents -> Work? in
      contents.lanes[work.id]?.remove(work)
      guard let next = contents.lanes[work.id]?.rules.finished(work.number) else { return nil }
      return contents.lanes[work.id]?.works[next]
    }
    next?.turn.fire(true)
  }

  /// A piece of work was cancelled, by whomever.
  func cancelled(_ work: Work) {
    contents.withLock { contents in
      contents.lanes[work.id]?.rules.cancelled(work.number)
      contents.lanes[work.id]?.loud[work.number] = work
    }
  }

  /// What comes of a piece of work is known, and is about to be dispatched.
  func settled(_ work: Work) {
    contents.withLock { contents in
      contents.lanes[work.id]?.rules.settled(work.number)
      contents.lanes[work.id]?.loud[work.number] = work
    }
  }

  /// A piece of work that was cancelled, or has come to its result, dispatches nothing any more.
  func isQuiet(_ work: Work) {
    // Released outside the lock.
    _ = contents.withLock { $0.lanes[work.id]?.loud.removeValue(forKey: work.number) }
  }

  /// What work belongs to that is started in a scope: not to work of its own lane, which would wait for it, or be cancelled
  /// by it, but to what that belongs to.
  func parent(of id: WorkID, startedIn scope: EffectScope) -> EffectScope {
    contents.withLock { contents in
      var parent = scope
      while let outer = contents.lanes[id]?.work(around: parent) { parent = outer.parent }
      return parent
    }
  }

  /// Marks all work of a kind as cancelled: from now on it dispatches nothing.
  ///
  /// - Returns: The rest of the cancellation, which cancels tasks and dispatches the rejections of requests.
  func markCancelled(_ subject: CancelWork.Subject, because reason: String?) -> Cancellation {
    let cancelled = contents.withLock { contents -> [Work] in
      let ids =
        switch subject {
        case .id(let id): [id]
        case .type(let type): contents.lanes.keys.filter { $0.isOf(type) }
        case .all: Array(contents.lanes.keys)
        }
      return ids.flatMap { contents.cancelAll(in: $0) }.sorted { $0.number < $1.number }
    }
    var cancellation = Cancellation()
    for work in cancelled { work.cancel(&cancellation, because: reason) }
    return cancellation
  }
}

extension WorkLanes.Contents {
  /// The work with numbers, which is being cancelled.
  private mutating func taken(_ numbers: [WorkLane.Number], in id: WorkID) -> [Work] {
    let works = numbers.compactMap { lanes[id]?.works[$0] }
    // From here on, so that nobody finds it neither running nor cancelled.
    for work in works { lanes[id]?.loud[work.number] = work }
    return works
  }

  fileprivate mutating func cancelAll(in id: WorkID) -> [Work] {
    taken(lanes[id]?.rules.cancelAll() ?? [], in: id)
  }

  /// What work takes the place of, and what it follows: that was cancelled before, or has come to its result, and may be
  /// dispatching, or not even know of it yet.
  fileprivate mutating func others(
    before work: Work, _ policy: WorkPolicy, _ response: WorkLane.Response
  ) -> OtherWork {
    var others = OtherWork(replaced: taken(response.cancels, in: work.id))
    guard response.step == .runs else { return others }
    let loud = (lanes[work.id]?.loud.values).map { $0.sorted { $0.number < $1.number } } ?? []
    switch policy.overlap {
    case .latest: others.replaced = loud
    case .leading: others.followed = loud
    case .every, .queue: break
    }
    return others
  }

  /// Forgets the lanes that are idle, now and then, so that it is O(1) for each arrival.
  fileprivate mutating func sweep(at now: Duration) {
    guard lanes.count >= sweepsAt else { return }
    lanes = lanes.filter { !$0.value.rules.isIdle(at: now) || !$0.value.loud.isEmpty }
    sweepsAt = max(64, 2 * lanes.count)
  }
}

/// The work before a piece of work.
struct OtherWork: Sendable {
  /// What is cancelled for it.
  var replaced: [Work] = []
  /// What may just be dispatching the last that it has to tell, which comes before.
  var followed: [Work] = []
}

/// The work before a piece of work, once what is replaced has been marked as cancelled.
struct MarkedWork: Sendable {
  let others: OtherWork
  /// The rest of the cancellation of the replaced work.
  let cancellation: Cancellation

  init(_ others: OtherWork) {
    self.others = others
    var cancellation = Cancellation()
    for other in others.replaced { other.cancel(&cancellation, because: "replaced by a newer one") }
    self.cancellation = cancellation
  }

  /// A Boolean value that indicates whether some of that work is still dispatching on another thread, or just beginning.
  var isDispatching: Bool { (others.replaced + others.followed).contains(where: \.isDispatching) }
}

extension ActionContext {
  /// The work of the store.
  var lanes: WorkLanes { attachment(WorkLanes.self) { WorkLanes() } }
}
