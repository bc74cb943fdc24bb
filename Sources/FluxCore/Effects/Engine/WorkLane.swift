extension WorkStateMachine {
  /// The pieces of work that have the same identity.
  ///
  /// The active work, which is neither complete nor canceled, is stored as a list that is linked
  /// by `Work.next`. Inserting and removing work is O(1).
  struct WorkLane: Hashable, Sendable {
    let id: WorkID
    var first = none
    var last = none
    /// The work that is waiting for the end of its debounce or throttle interval.
    var waiting = none
    /// The work that is queued behind earlier work, in order of arrival.
    ///
    /// Work that was canceled can remain in the queue.
    var queue = ArraySlice<NodeID>()
    var queued = 0
    /// The number of active pieces of work whose results are not known yet.
    var running = 0
    /// The number of active pieces of work whose results are known.
    var settled = 0
    /// The number of pieces of work that were canceled while they were running, and that are not
    /// complete.
    var ending = 0
    /// The work in which a thread is still dispatching an action although the work was canceled
    /// or has a result.
    var dispatching: [NodeID] = []
    /// The time before which throttled work does not begin.
    var windowEnd = Duration.zero

    /// Adds work to the end of the list of active work.
    ///
    /// - Returns: The work that was the last in the list.
    mutating func append(_ index: Int32, as place: Work.Place) -> Int32 {
      let previous = last
      if previous == none { first = index }
      last = index
      count(place, 1)
      if place == .waiting { waiting = index }
      return previous
    }

    /// Removes work from the list of active work.
    mutating func remove(_ index: Int32, between previous: Int32, and next: Int32, _ place: Work.Place) {
      if previous == none { first = next }
      if next == none { last = previous }
      count(place, -1)
      if waiting == index { waiting = none }
    }

    private mutating func count(_ place: Work.Place, _ change: Int) {
      switch place {
      case .queued: queued += change
      case .running: running += change
      case .settled: settled += change
      case .outside, .waiting, .ending: break
      }
    }

    /// Returns whether the lane contains nothing that affects later work.
    func isIdle(at now: Duration) -> Bool {
      first == none && ending == 0 && dispatching.isEmpty && windowEnd <= now
    }
  }

  /// The data of a node that represents a piece of work.
  struct Work: Hashable, Sendable {
    /// The status of the work in its lane.
    enum Place: Hashable, Sendable {
      /// The work has no effect on other work in the lane.
      case outside
      /// The work is waiting for the end of its debounce or throttle interval.
      case waiting
      /// The work is queued behind earlier work.
      case queued
      case running
      /// The result of the work is known.
      case settled
      /// The work was canceled while it was running.
      case ending
    }

    /// The progress of the work, regardless of other work in its lane.
    enum Stage: Int8, Comparable, Sendable {
      /// The work has not begun.
      case arrived
      /// A thread is performing the first step.
      case beginning
      case running
      /// The result is known.
      case settled
      /// The operation has returned, but tasks and work that it started can be unfinished.
      case returned
      /// A thread has received the instruction to complete the work.
      case completing
      /// The work no longer counts as unfinished.
      case left

      static func < (first: Stage, second: Stage) -> Bool { first.rawValue < second.rawValue }
    }

    /// The status of the report that the work was canceled.
    enum Notice: Hashable, Sendable {
      case none
      /// The cancellation must be reported, but not while a thread is performing the first step.
      case pending
      /// A thread has begun to report the cancellation.
      case taken
    }

    var lane = none
    var next = none
    var previous = none
    var place = Place.outside
    var stage = Stage.arrived
    var rules = WorkRules(.every)
    var hasFirstStep = false
    /// The number of earlier pieces of work whose dispatches must end before this work continues.
    var following: Int32 = 0
    /// A Boolean value that indicates whether the task that performs the work is waiting to be
    /// resumed.
    var isSuspended = false
    var isCancelled = false
    var notice = Notice.none
    /// The thread that must report the cancellation, and that counts as a dispatching thread
    /// until the report is made.
    var reporter: ThreadIdentity?
    var reason: String?
    var isCountedIdle = false

    mutating func arrive(in lane: Int32, _ rules: WorkRules, hasFirstStep: Bool) {
      self.lane = lane
      self.rules = rules
      self.hasFirstStep = hasFirstStep
    }

    /// Adds the work to the end of the list of active work in its lane.
    mutating func link(after previous: Int32, as place: Place) {
      self.place = place
      self.previous = previous
      next = none
    }
  }
}
