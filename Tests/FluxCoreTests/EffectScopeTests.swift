import FluxCore
import TestSupport
import Testing

/// Waits until the task is cancelled.
private func untilCancelled() async {
  let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
  for await _ in stream {}
  continuation.finish()
}

@Suite("Scopes of effects", .unlessItHangs)
struct EffectScopeTests {
  @Test("a scope runs started tasks, and can be awaited")
  func runs() async {
    let scope = EffectScope()
    let ran = Shared(0)
    for _ in 0..<10 { scope.start { ran.increment() } }
    await scope.finished()
    #expect(ran.value == 10)
    #expect(scope.count == 0)
  }

  @Test("a scope counts its unfinished tasks")
  func counts() async {
    let scope = EffectScope()
    #expect(scope.count == 0)
    for count in 1...3 {
      scope.start { await untilCancelled() }
      #expect(scope.count == count)
    }
    scope.cancelAll()
    await scope.finished()
    #expect(scope.count == 0)
  }

  @Test("canceling all tasks cancels the running ones; later tasks run")
  func cancelAll() async {
    let scope = EffectScope()
    let heard = Recorder<Bool>()
    for _ in 0..<3 {
      scope.start {
        await untilCancelled()
        heard.record(Task.isCancelled)
      }
    }
    scope.cancelAll()
    await scope.finished()
    #expect(heard.values == [true, true, true])
    scope.start { heard.record(Task.isCancelled) }
    await scope.finished()
    #expect(heard.values.last == false)
  }

  @Test("a scope that has ended cancels running tasks and starts no new ones")
  func end() async {
    let scope = EffectScope()
    let heard = Recorder<String>()
    scope.start {
      await untilCancelled()
      heard.record("cancelled \(Task.isCancelled)")
    }
    scope.end()
    scope.start { heard.record("started") }
    await scope.finished()
    #expect(heard.values == ["cancelled true"])
    #expect(scope.count == 0)
  }

  @Test("ending a scope twice has no further effect")
  func endTwice() async {
    let scope = EffectScope()
    scope.end()
    scope.end()
    scope.cancelAll()
    await scope.finished()
    #expect(scope.count == 0)
  }

  @Test("waiting for a scope without running tasks returns immediately")
  func nothingToWaitFor() async {
    let scope = EffectScope()
    await scope.finished()
    #expect(scope.count == 0)
  }

  @Test("several callers may wait, and all continue when no task runs anymore")
  func manyWaiters() async {
    let scope = EffectScope()
    scope.start { await untilCancelled() }
    let waiters = (0..<5).map { _ in Task { await scope.finished() } }
    scope.cancelAll()
    for waiter in waiters { await waiter.value }
    #expect(scope.count == 0)
  }

  @Test("a task in a scope may start another task, which is awaited too")
  func startsAnother() async {
    let scope = EffectScope()
    let heard = Recorder<Int>()
    scope.start {
      heard.record(1)
      scope.start { heard.record(2) }
    }
    await scope.finished()
    #expect(heard.values == [1, 2])
  }

  @Test("a finished task releases its captured values")
  func releases() async {
    let scope = EffectScope()
    let (tracker, released) = (LifetimeTracker(), EventLog<Bool>())
    do {
      let captured = tracker.make { released.record(true) }
      scope.start { captured.touch() }
    }
    await scope.finished()
    // The task's thread may still hold the closure that it ran.
    await released.count(atLeast: 1)
    #expect(tracker.alive == 0)
  }

  @Test("an operation that is refused by an ended scope is released")
  func releasesRefused() async {
    let scope = EffectScope()
    let tracker = LifetimeTracker()
    scope.end()
    do {
      let captured = tracker.make()
      scope.start { captured.touch() }
    }
    await scope.finished()
    #expect(tracker.alive == 0)
  }

  @Test("tasks hold their scope weakly")
  func weakly() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    let done = AsyncStream.makeStream(of: Void.self)
    var scope: EffectScope? = EffectScope()
    let released = WeakReference(scope)
    scope?.start {
      for await _ in stream {}
      done.continuation.finish()
    }
    scope = nil
    #expect(released.object == nil)
    continuation.finish()
    for await _ in done.stream {}
  }

  @Test("tasks that many threads start are all run")
  func threads() async {
    let scope = EffectScope()
    let ran = Shared(0)
    onThreads(4) { _ in for _ in 0..<100 { scope.start { ran.increment() } } }
    await scope.finished()
    #expect(ran.value == 400)
  }

  @Test("when a scope ends at any time, each task either runs or is refused, and the wait ends")
  func endingMeanwhile() async {
    let scope = EffectScope()
    let ran = Shared(0)
    onThreads(4) { index in
      for round in 0..<100 {
        if index == 0, round == 50 { scope.end() } else { scope.start { ran.increment() } }
      }
    }
    await scope.finished()
    #expect(scope.count == 0)
    #expect(ran.value < 400)
  }
}
