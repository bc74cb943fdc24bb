import FluxCore

/// The work of a store that is on its way, by its ids.
final class WorkLanes: Sendable {
  fileprivate struct Lane {
    var rules = WorkLane()
    var works: [WorkLane.Number: Work] = [:]
    /// The same, by their scopes.
    var numbers: [ObjectIdentifier: WorkLane.Number] = [:]

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

  /// A piece of work has come; cancels what it takes the place of.
  ///
  /// - Returns: The work with its number, and what becomes of it.
  func arrived(_ make: (WorkLane.Number) -> Work, _ policy: WorkPolicy, at now: Duration) -> (
    Work, WorkLane.Step
  ) {
    let (work, response, cancelled, others) = contents.withLock { contents in
      contents.nextNumber += 1
      let work = make(contents.nextNumber)
      contents.sweep(at: now)
      let response = contents.lanes[work.id, default: Lane()].rules.arrived(work.number, policy, at: now)
      if response.step != .drops { contents.lanes[work.id]?.insert(work) }
      return (
        work, response, contents.works(response.cancels, in: work.id), contents.others(than: work, policy)
      )
    }
    work.replaces(cancelled, following: others)
    return (work, response.step)
  }

  /// A piece of work has waited as long as it was told to; cancels what it takes the place of.
  func woke(_ work: Work, _ policy: WorkPolicy, at now: Duration) -> WorkLane.Step {
    let (response, cancelled, others) = contents.withLock { contents -> (WorkLane.Response, [Work], [Work]) in
      guard let response = contents.lanes[work.id]?.rules.woke(work.number, at: now) else {
        return (WorkLane.Response(step: .drops), [], [])
      }
      return (response, contents.works(response.cancels, in: work.id), contents.others(than: work, policy))
    }
    work.replaces(cancelled, following: others)
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
    contents.withLock { $0.lanes[work.id]?.rules.cancelled(work.number) }
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

  /// Cancels all work with an id, or all there is.
  func cancel(_ id: WorkID?, because reason: String?) {
    let cancelled = contents.withLock { contents -> [Work] in
      let ids = id.map { [$0] } ?? Array(contents.lanes.keys)
      let works = ids.flatMap { id in
        contents.works(contents.lanes[id]?.rules.cancelAll() ?? [], in: id)
      }
      return works.sorted { $0.number < $1.number }
    }
    var cancellation = Cancellation()
    for work in cancelled { work.cancel(&cancellation, because: reason) }
    cancellation.carryOut()
  }
}

extension WorkLanes.Contents {
  fileprivate func works(_ numbers: [WorkLane.Number], in id: WorkID) -> [Work] {
    numbers.compactMap { lanes[id]?.works[$0] }
  }

  /// The other work in the lane of one that is the latest: what was cancelled before may still be dispatching.
  fileprivate func others(than work: Work, _ policy: WorkPolicy) -> [Work] {
    guard policy.overlap == .latest else { return [] }
    return lanes[work.id]?.works.values.filter { $0 !== work } ?? []
  }

  /// Forgets the lanes that are idle, now and then, so that it is O(1) for each arrival.
  fileprivate mutating func sweep(at now: Duration) {
    guard lanes.count >= sweepsAt else { return }
    lanes = lanes.filter { !$0.value.rules.isIdle(at: now) }
    sweepsAt = max(64, 2 * lanes.count)
  }
}

extension ActionContext {
  /// The work of the store.
  var lanes: WorkLanes { attachment(WorkLanes.self) { WorkLanes() } }
}
