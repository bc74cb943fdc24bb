import Dispatch
import FluxAsync
import FluxCore
import Synchronization

/// A burst of runs of one listener, each of which cancels the earlier runs after all have begun.
private final class Burst: Sendable {
  private struct Contents {
    var begun = 0
    var whenBegun: (count: Int, resume: @Sendable () -> Void)?
    var door = Task<Void, Never> {}
  }

  private let contents = Mutex(Contents())

  /// Makes the runs wait until `count` runs have begun.
  ///
  /// - Returns: A closure that waits until `count` runs have begun, and then resumes all runs.
  func close(at count: Int) -> @Sendable () async -> Void {
    let (door, opener) = AsyncStream.makeStream(of: Void.self)
    let (begun, signal) = AsyncStream.makeStream(of: Void.self)
    contents.withLock { contents in
      contents.begun = 0
      contents.whenBegun = (count, { signal.finish() })
      contents.door = Task { for await _ in door {} }
    }
    return {
      for await _ in begun {}
      opener.finish()
    }
  }

  func begin() async {
    let (door, resume) = contents.withLock { contents in
      contents.begun += 1
      return (contents.door, contents.begun == contents.whenBegun?.count ? contents.whenBegun?.resume : nil)
    }
    resume?()
    await door.value
  }
}

private func cancelling() -> Workload.Turns {
  let (burst, listeners) = (Burst(), Listeners<Counter>())
  listeners.start(of: Increment.self) { _, listener in
    await burst.begin()
    listener.cancelActiveListeners()
  }
  let store = countingStore(plugins: [listeners.plugin])
  return { times in
    let done = DispatchSemaphore(value: 0)
    let open = burst.close(at: times)
    let all = store.dispatchAsync(
      ActionPlan<Counter> { plan in for _ in 0..<times { plan.dispatch(Increment()) } })
    Task {
      await open()
      await all.finished()
      done.signal()
    }
    done.wait()
  }
}

let listenerWorkloads: [Workload] = [1_000, 10_000].map { count in
  Workload(
    "listeners-cancelling-\(count)",
    "one of \(grouped(count)) simultaneous runs of a listener that each cancel the earlier runs",
    turns: count
  ) { cancelling() }
}
