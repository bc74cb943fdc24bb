/// A piece of work that has not ended, and what it waits for.
package struct UnfinishedWork: Sendable {
  /// What must happen before the work ends.
  package enum Wait: Hashable, Sendable {
    /// The debounce or throttle interval of the work must end.
    case interval
    /// Earlier work must end, because the policy performs one piece of work at a time.
    case earlierWork
    /// The operation of the work must return.
    case operation
    /// Tasks and work that the operation has started must end.
    case startedWork
  }

  /// The action that carries the work, or `nil` if its steps were released.
  package let action: (any Action)?
  package let wait: Wait
}

extension EffectScope {
  /// The work in the store of this scope that has not ended, in no particular order.
  package var unfinishedWork: [UnfinishedWork] { engine.unfinishedWork }
}

extension WorkEngine {
  fileprivate var unfinishedWork: [UnfinishedWork] {
    withContents { contents in
      contents.machine.unfinishedWork.map { index, wait in
        UnfinishedWork(action: contents.objects[Int(index)].steps?.action, wait: wait)
      }
    }
  }
}

extension WorkStateMachine {
  fileprivate var unfinishedWork: [(index: Int32, wait: UnfinishedWork.Wait)] {
    nodes.indices.compactMap { index in
      let node = nodes[index]
      guard node.kind == .work, node.work.stage < .completing else { return nil }
      return (Int32(index), node.work.wait)
    }
  }
}

extension WorkStateMachine.Work {
  fileprivate var wait: UnfinishedWork.Wait {
    switch (place, stage) {
    case (.waiting, _): .interval
    case (.queued, _): .earlierWork
    case (_, .returned): .startedWork
    default: following > 0 ? .earlierWork : .operation
    }
  }
}
