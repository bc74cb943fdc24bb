// The callers that wait for an event of a scope.

extension WorkEngine {
  /// Waits until all tasks and work in a scope have finished.
  nonisolated(nonsending) func untilIdle(_ scope: NodeID) async {
    Timeline.endsAreObserved()
    _ = await wait { contents, caller in
      guard contents.machine.awaitIdle(scope) else { return false }
      contents[scope].waitingForIdle.append(caller)
      return true
    }
  }

  /// Returns the number of the next caller that waits for a scope, or `nil` if all tasks and work
  /// in the scope have finished.
  func nextCaller(for scope: NodeID) -> UInt64? {
    Timeline.endsAreObserved()
    return withContents { contents in
      guard contents.machine.unfinished(in: scope) > 0 else { return nil }
      contents.callers += 1
      return contents.callers
    }
  }

  /// Resumes a caller when all tasks and work in a scope have finished, or when its task is
  /// canceled.
  func wait(_ caller: WaitingCaller, for scope: NodeID) {
    let waits = withContents { contents in
      guard contents.machine.awaitIdle(scope) else { return false }
      contents[scope].waitingForIdle.append(caller)
      return true
    }
    if !waits {
      caller.resume(isCancelled: false)
    } else if Task.isCancelled {
      // The cancellation may have been handled before the caller was added.
      stopWaiting(caller.number, for: scope)
    }
  }

  /// Resumes the caller with a number, if the caller is waiting until a scope is idle.
  func stopWaiting(_ number: UInt64, for scope: NodeID) {
    let caller = withContents { contents in
      contents.machine.contains(scope) ? contents[scope].waitingForIdle.remove { $0.number == number } : nil
    }
    caller?.resume(isCancelled: true)
  }

  /// Waits until no thread is dispatching an action in a scope.
  nonisolated(nonsending) func untilDispatched(_ scope: NodeID) async {
    _ = await wait { contents, caller in
      guard contents.machine.awaitDispatches(scope) else { return false }
      contents[scope].waitingForDispatches.append(caller)
      return true
    }
  }

  /// Waits until a race is decided, or until all racers are done.
  nonisolated(nonsending) func untilDecided(_ race: NodeID) async {
    _ = await wait { contents, caller in
      guard contents.machine.awaitRace(race) else { return false }
      contents[race].waitingForIdle.append(caller)
      return true
    }
  }

  /// Waits for an event, even if the waiting task is canceled.
  ///
  /// - Parameter add: A closure that adds the caller, and returns `false` if the caller does not
  ///   have to wait.
  private nonisolated(nonsending) func wait(
    _ add: (inout Contents, WaitingCaller) -> Bool
  ) async -> Bool {
    await withUnsafeContinuation { continuation in
      let caller = WaitingCaller(0, continuation)
      if !withContents({ add(&$0, caller) }) { caller.resume(isCancelled: false) }
    }
  }
}
