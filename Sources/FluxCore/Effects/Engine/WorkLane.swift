extension WorkStateMachine {
  /// The work with one identity.
  ///
  /// The active work, which has not left the tree and was not canceled, is a list that is linked
  /// by `Work.next`. Inserting and removing work is O(1).
  struct WorkLane: Hashable, Sendable {
    let id: WorkID
    var first = none
    var last = none
    /// The work that waits for its time.
    var waiting = none
    /// The work that waits for its turn, in order of arrival.
    ///
    /// Work that was canceled can remain in the queue.
    var queue = ArraySlice<NodeID>()
    var queued = 0
    /// The number of active pieces of work whose result is not known.
    var running = 0
    /// The number of active pieces of work whose result is known.
    var settled = 0
    /// The number of pieces of work that were canceled while they were running, and have not
    /// left the tree.
    var ending = 0
    /// The work that was canceled or has a result, and in which a thread is still dispatching.
    var loud: [NodeID] = []
    /// The time before which throttled work does not begin.
    var windowEnd = Duration.zero

    /// Returns whether the lane contains nothing that affects later work.
    func isIdle(at now: Duration) -> Bool {
      first == none && ending == 0 && loud.isEmpty && windowEnd <= now
    }
  }

  /// The part of a node that only work has.
  struct Work: Hashable, Sendable {
    /// The position of work in its lane.
    enum Place: Hashable, Sendable {
      /// The work has no effect on other work of the lane.
      case outside
      /// The work waits for its time.
      case waiting
      /// The work waits for its turn.
      case queued
      case running
      /// The result of the work is known.
      case settled
      /// The work was canceled while it was running.
      case ending
    }

    /// The stage of the work itself.
    enum Stage: Int8, Comparable, Sendable {
      /// The work has not begun.
      case arrived
      /// A thread performs the first step.
      case beginning
      case running
      /// The result is known.
      case settled
      /// The operation has returned. What it has started can still be unfinished.
      case returned
      /// The instruction to complete the work was given.
      case completing
      /// The work has left the tree of unfinished work.
      case left

      static func < (first: Stage, second: Stage) -> Bool { first.rawValue < second.rawValue }
    }

    /// The report of a cancellation.
    enum Notice: Hashable, Sendable {
      case none
      /// The report is due when no thread performs the first step.
      case pending
      /// A thread reports the cancellation.
      case taken
    }

    var lane = none
    var next = none
    var previous = none
    var place = Place.outside
    var stage = Stage.arrived
    var rules = WorkRules(.every)
    var hasFirstStep = false
    /// The number of other pieces of work that must be quiet before this work continues.
    var following: Int32 = 0
    /// A Boolean value that indicates whether the task of the work waits to be resumed.
    var isSuspended = false
    var isCancelled = false
    var notice = Notice.none
    /// The thread that reports the cancellation, and counts as dispatching until then.
    var reporter: ThreadIdentity?
    var reason: String?
    var isCountedIdle = false
  }
}
