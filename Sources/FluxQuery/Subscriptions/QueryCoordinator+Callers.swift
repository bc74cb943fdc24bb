import FluxAsync
import FluxCore

// Tasks that wait for the end of a request.

extension QueryCoordinator {
  /// Returns a Boolean value that indicates whether a request of a query has arrived and has not
  /// ended.
  ///
  /// The method takes O(n) time for n running requests.
  func isRequested(_ key: QueryKey) -> Bool {
    contents.withLock { $0.runningRequests.contains(key) }
  }

  /// Returns a number for a task that waits.
  func nextCaller() -> UInt64 {
    contents.withLock { contents in
      contents.lastCaller += 1
      return contents.lastCaller
    }
  }

  /// Resumes a task when a request of a query ends, or immediately if none is running.
  func add(_ caller: WaitingCaller, for key: QueryKey) {
    let waits = contents.withLock { contents in
      guard contents.runningRequests.contains(key) else { return false }
      contents.callers[key, default: []].append(caller)
      return true
    }
    if !waits { caller.resume(isCancelled: false) }
  }

  /// Resumes a task that was canceled.
  func stopWaiting(_ number: UInt64, for key: QueryKey) {
    let caller = contents.withLock { contents -> WaitingCaller? in
      guard let index = contents.callers[key]?.firstIndex(where: { $0.number == number }) else { return nil }
      return contents.callers[key]?.remove(at: index)
    }
    caller?.resume(isCancelled: true)
  }
}
