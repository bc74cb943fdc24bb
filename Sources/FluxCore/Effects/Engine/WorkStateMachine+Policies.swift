// The rules for pieces of work in the same lane.

extension WorkStateMachine {
  /// The result of applying a policy to work that has arrived, or whose debounce or throttle
  /// interval has ended.
  package enum Step: Hashable, Sendable {
    case runs
    case waits(until: Duration)
    case queues
    case drops

    /// The end of the debounce or throttle interval, or `nil` if the work does not wait for one.
    var deadline: Duration? {
      if case .waits(let deadline) = self { deadline } else { nil }
    }
  }

  /// Returns the lane for an identity, and creates the lane if it does not exist.
  mutating func lane(of id: WorkID, at now: Duration) -> Int32 {
    // A list or a timer often starts the same kind of work many times in a row. Hashing the
    // identity takes about 200 instructions.
    if newestLane != Self.none, lanes[Int(newestLane)].id == id { return newestLane }
    newestLane = knownLane(of: id, at: now)
    return newestLane
  }

  private mutating func knownLane(of id: WorkID, at now: Duration) -> Int32 {
    if let known = laneOfID[id] { return known }
    sweepLanes(at: now)
    let lane: Int32
    if let removed = removedLanes.popLast() {
      lane = removed
      lanes[Int(lane)] = WorkLane(id: id)
    } else {
      lane = Int32(lanes.count)
      lanes.append(WorkLane(id: id))
    }
    laneOfID[id] = lane
    return lane
  }

  /// Removes idle lanes occasionally, so that the amortized cost is O(1) for each lane.
  private mutating func sweepLanes(at now: Duration) {
    guard laneOfID.count >= sweepsLanesAt else { return }
    for (id, lane) in laneOfID where lanes[Int(lane)].isIdle(at: now) {
      laneOfID[id] = nil
      removedLanes.append(lane)
    }
    sweepsLanesAt = max(64, 2 * laneOfID.count)
  }

  // MARK: Events

  /// Applies the policy of newly arrived work, and marks the work that it replaces as canceled.
  mutating func place(
    _ index: Int32, at now: Duration, by thread: ThreadIdentity, _ instructions: inout Instructions
  ) -> Step {
    let lane = Int(self[index].work.lane)
    switch self[index].work.rules.pace {
    case .immediate: return begin(index, by: thread, &instructions)
    case .debounced(let quiet): return wait(index, until: now + quiet, by: thread, &instructions)
    case .throttled(let interval, let latest):
      guard now < lanes[lane].windowEnd else {
        // Waiting work that resumes late must not replace this newer work.
        cancelWaiting(in: lane, by: thread, &instructions)
        let step = begin(index, by: thread, &instructions)
        if step != .drops { lanes[lane].windowEnd = now + interval }
        return step
      }
      guard latest else { return .drops }
      return wait(index, until: lanes[lane].windowEnd, by: thread, &instructions)
    }
  }

  /// Applies the policy of work whose debounce or throttle interval has ended.
  mutating func placeAfterWait(
    _ index: Int32, at now: Duration, by thread: ThreadIdentity, _ instructions: inout Instructions
  ) -> Step {
    let lane = Int(self[index].work.lane)
    unlink(index)
    let step = begin(index, by: thread, &instructions)
    if case .throttled(let interval, _) = self[index].work.rules.pace, step != .drops {
      lanes[lane].windowEnd = max(lanes[lane].windowEnd, now + interval)
    }
    return step
  }

  // MARK: Rules

  private mutating func begin(
    _ index: Int32, by thread: ThreadIdentity, _ instructions: inout Instructions
  ) -> Step {
    let lane = Int(self[index].work.lane)
    switch self[index].work.rules.overlap {
    case .every: break
    case .latest: cancelAllButWaiting(in: lane, by: thread, &instructions)
    case .leading:
      // If the lane also contains work with other policies, that work can be waiting for an
      // interval to end, or be queued.
      if lanes[lane].running > 0 || lanes[lane].waiting != Self.none || lanes[lane].queued > 0 {
        return .drops
      }
    case .queue:
      let blocking = lanes[lane].running + lanes[lane].settled + lanes[lane].ending + lanes[lane].queued
      if blocking > 0 {
        link(index, as: .queued)
        // The amortized cost is O(1), because each call removes at least half of the queue.
        if lanes[lane].queue.count > 2 * lanes[lane].queued { removeCancelledFromQueue(of: lane) }
        lanes[lane].queue.append(id(index))
        return .queues
      }
    }
    link(index, as: .running)
    return .runs
  }

  private mutating func wait(
    _ index: Int32, until deadline: Duration, by thread: ThreadIdentity, _ instructions: inout Instructions
  ) -> Step {
    let lane = Int(self[index].work.lane)
    cancelWaiting(in: lane, by: thread, &instructions)
    link(index, as: .waiting)
    return .waits(until: deadline)
  }

  private mutating func cancelWaiting(
    in lane: Int, by thread: ThreadIdentity, _ instructions: inout Instructions
  ) {
    let waiting = lanes[lane].waiting
    if waiting != Self.none { cancelWork(waiting, because: Self.replaced, by: thread, &instructions) }
  }

  private mutating func cancelAllButWaiting(
    in lane: Int, by thread: ThreadIdentity, _ instructions: inout Instructions
  ) {
    var index = lanes[lane].first
    while index != Self.none {
      let next = self[index].work.next
      if self[index].work.place != .waiting {
        cancelWork(index, because: Self.replaced, by: thread, &instructions)
      }
      index = next
    }
  }

  private static var replaced: String { "replaced by newer work" }

  private mutating func removeCancelledFromQueue(of lane: Int) {
    lanes[lane].queue = lanes[lane].queue.filter { isQueued($0) }[...]
  }

  /// Returns the next queued work, and marks it as running, if no older work prevents it from
  /// beginning.
  mutating func nextInQueue(of lane: Int) -> Int32? {
    guard lanes[lane].running + lanes[lane].settled + lanes[lane].ending == 0 else { return nil }
    while let next = lanes[lane].queue.popFirst() {
      guard isQueued(next) else { continue }
      lanes[lane].queued -= 1
      lanes[lane].running += 1
      self[next.index].work.place = .running
      return next.index
    }
    return nil
  }

  private func isQueued(_ work: NodeID) -> Bool {
    self[work.index].generation == work.generation && self[work.index].work.place == .queued
  }

  // MARK: The list of active work

  /// Adds work to the list of active work in its lane.
  private mutating func link(_ index: Int32, as place: Work.Place) {
    let last = lanes[Int(self[index].work.lane)].append(index, as: place)
    self[index].work.link(after: last, as: place)
    if last != Self.none { self[last].work.next = index }
  }

  /// Removes work from the list of active work in its lane.
  mutating func unlink(_ index: Int32) {
    let (previous, next) = (self[index].work.previous, self[index].work.next)
    lanes[Int(self[index].work.lane)].remove(index, between: previous, and: next, self[index].work.place)
    if previous != Self.none { self[previous].work.next = next }
    if next != Self.none { self[next].work.previous = previous }
    self[index].work.place = .outside
  }

  // MARK: Results and ends

  /// Records that the result of the work is known, and that the work no longer causes newer work
  /// to be dropped.
  mutating func settlePlace(_ index: Int32) {
    guard self[index].work.place == .running else { return }
    let lane = Int(self[index].work.lane)
    self[index].work.place = .settled
    lanes[lane].running -= 1
    lanes[lane].settled += 1
  }

  /// Removes canceled work from the list of active work in its lane.
  mutating func cancelPlace(_ index: Int32) {
    switch self[index].work.place {
    case .outside, .ending: break
    case .waiting, .queued: unlink(index)
    case .running, .settled:
      unlink(index)
      self[index].work.place = .ending
      lanes[Int(self[index].work.lane)].ending += 1
    }
  }

  /// Removes work from its lane.
  mutating func leaveLane(_ index: Int32) {
    switch self[index].work.place {
    case .outside: break
    case .ending:
      lanes[Int(self[index].work.lane)].ending -= 1
      self[index].work.place = .outside
    case .waiting, .queued, .running, .settled: unlink(index)
    }
  }

  mutating func insertIntoDispatching(_ index: Int32) {
    let lane = Int(self[index].work.lane)
    if !lanes[lane].dispatching.contains(id(index)) { lanes[lane].dispatching.append(id(index)) }
  }

  mutating func removeFromDispatching(_ index: Int32) {
    let lane = Int(self[index].work.lane)
    guard !lanes[lane].dispatching.isEmpty else { return }
    lanes[lane].dispatching.removeAll { [index] in $0.index == index }
  }
}
