// Cancellations. A single event marks everything that a cancellation affects. Therefore, when the
// first task is canceled and the first user code is called, nothing that was canceled can begin
// or dispatch anymore.

extension WorkStateMachine {
  /// Marks work, and everything that it has started, as canceled.
  ///
  /// The cancellation is not reported if the work was already canceled, if its result is known,
  /// or if its operation has returned.
  package mutating func cancel(
    _ work: NodeID, because reason: String?, by thread: ThreadIdentity
  ) -> Instructions {
    var instructions = Instructions()
    cancelWork(index(work), because: reason, by: thread, &instructions)
    return inOrder(instructions)
  }

  /// Marks all tasks and work in a scope as canceled.
  ///
  /// New tasks can be started afterward.
  package mutating func cancelAll(in scope: NodeID, by thread: ThreadIdentity) -> Instructions {
    var instructions = Instructions()
    cancelEach(below: index(scope), endsScopes: false, by: thread, &instructions)
    return inOrder(instructions)
  }

  /// Ends a scope, and marks all tasks and work in the scope as canceled.
  package mutating func end(_ scope: NodeID, by thread: ThreadIdentity) -> Instructions {
    var instructions = Instructions()
    endScope(index(scope), by: thread, &instructions)
    return inOrder(instructions)
  }

  mutating func endScope(
    _ index: Int32, by thread: ThreadIdentity, _ instructions: inout Instructions
  ) {
    self[index].isEnded = true
    cancelEach(below: index, endsScopes: true, by: thread, &instructions)
  }

  /// The work that a cancellation by identity affects.
  package enum Subject: Sendable {
    case id(WorkID)
    case type(any Any.Type)
    case all
  }

  /// Marks the work that a subject selects, and everything that it has started, as canceled.
  package mutating func cancel(
    _ subject: Subject, because reason: String?, by thread: ThreadIdentity
  ) -> Instructions {
    var instructions = Instructions()
    let lanes =
      switch subject {
      case .id(let id): laneOfID[id].map { [$0] } ?? []
      case .type(let type): laneOfID.filter { $0.key.isOf(type) }.values.sorted()
      case .all: laneOfID.values.sorted()
      }
    for lane in lanes {
      while self.lanes[Int(lane)].first != Self.none {
        cancelWork(self.lanes[Int(lane)].first, because: reason, by: thread, &instructions)
      }
    }
    return inOrder(instructions)
  }

  // MARK: Reports

  /// Makes a thread responsible for reporting that the work was canceled.
  ///
  /// Several threads can receive the instruction to report the same cancellation, but only one of
  /// these threads reports the cancellation.
  ///
  /// - Returns: The reason for the cancellation, or `nil` if this thread has nothing to report.
  ///   After the report, the thread calls ``reported(_:)``.
  package mutating func takeNotice(of work: NodeID, by thread: ThreadIdentity) -> String?? {
    let index = work.index
    guard self[index].generation == work.generation else { return nil }
    guard self[index].work.notice == .pending, self[index].work.stage != .beginning else { return nil }
    self[index].work.notice = .taken
    changeReporter(of: index, to: thread)
    return .some(self[index].work.reason)
  }

  /// Changes the thread that is responsible for reporting a cancellation.
  ///
  /// Until the thread has reported the cancellation, it counts as a dispatching thread, instead
  /// of the thread that canceled the work.
  mutating func changeReporter(of index: Int32, to thread: ThreadIdentity) {
    guard let canceler = self[index].work.reporter, canceler != thread else { return }
    self[index].work.reporter = thread
    forEachBelowRoot(from: index) { machine, index in
      machine[index].dispatchers.insert(thread)
      machine[index].dispatchers.remove(canceler)
    }
  }

  /// Records that a thread has reported the cancellation of the work.
  package mutating func reported(_ work: NodeID) -> Instructions {
    var instructions = Instructions()
    let index = index(work)
    if let thread = self[index].work.reporter.take() { removeDispatcher(thread, in: index, &instructions) }
    return instructions
  }

  // MARK: Marks

  /// Marks work, and everything that it has started, as canceled.
  mutating func cancelWork(
    _ index: Int32, because reason: String?, by thread: ThreadIdentity, _ instructions: inout Instructions
  ) {
    self[index].isEnded = true
    guard !self[index].work.isCancelled else { return }
    self[index].work.isCancelled = true
    self[index].work.reason = reason
    cancelPlace(index)
    if self[index].work.stage < .completing { instructions.append(.cancelTask(id(index))) }
    if self[index].work.stage < .settled {
      self[index].work.notice = .pending
      self[index].work.reporter = thread
      // The thread counts as a dispatching thread until the cancellation is reported, so that
      // newer work waits for the report.
      insertDispatcher(thread, in: index)
      instructions.append(.report(id(index)))
    }
    if !self[index].dispatchers.isEmpty { insertIntoDispatching(index) }
    resume(index, &instructions)
    cancelEach(below: index, endsScopes: true, by: thread, &instructions)
  }

  /// Returns the instructions in a new order, in which the instructions that cancel tasks come
  /// first.
  func inOrder(_ instructions: Instructions) -> Instructions {
    guard instructions.hasSeveral else { return instructions }
    var ordered = Instructions()
    instructions.forEach { if case .cancelTask = $0 { ordered.append($0) } }
    instructions.forEach { if case .cancelTask = $0 {} else { ordered.append($0) } }
    return ordered
  }

  private mutating func cancelEach(
    below top: Int32, endsScopes: Bool, by thread: ThreadIdentity, _ instructions: inout Instructions
  ) {
    var index = self[top].firstChild
    while index != Self.none {
      var goesDown = true
      switch self[index].kind {
      case .removed: assertionFailure("A removed node is in the tree.")
      case .scope: if endsScopes { self[index].isEnded = true }
      case .task:
        if !self[index].isEnded { instructions.append(.cancelTask(id(index))) }
        self[index].isEnded = true
      case .work:
        // This call also marks everything that the work has started.
        cancelWork(index, because: nil, by: thread, &instructions)
        goesDown = false
      }
      index = nextNode(after: index, below: top, goesDown: goesDown)
    }
  }

  /// Returns the next node of a depth-first traversal, without recursion.
  private func nextNode(after index: Int32, below top: Int32, goesDown: Bool) -> Int32 {
    if goesDown, self[index].firstChild != Self.none { return self[index].firstChild }
    var index = index
    while index != top {
      if self[index].next != Self.none { return self[index].next }
      index = self[index].parent
    }
    return Self.none
  }
}
