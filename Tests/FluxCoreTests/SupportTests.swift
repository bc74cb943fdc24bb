import TestSupport
import Testing

/// The helpers are tested too.
@Suite struct SupportTests {
  @Test("a recorder keeps the order, and removes values that are taken")
  func recorder() {
    let recorder = Recorder<Int>()
    recorder.record(1)
    recorder.record(2)
    #expect(recorder.takeAll() == [1, 2])
    #expect(recorder.values.isEmpty)
  }

  @Test("a tracker counts the objects that are alive")
  func tracker() {
    let tracker = LifetimeTracker()
    let ended = Shared(false)
    var object: LifetimeTracker.Tracked? = tracker.make { ended.value = true }
    object?.touch()
    #expect(tracker.alive == 1)
    object = nil
    #expect(tracker.alive == 0)
    #expect(ended.value)
  }

  @Test("an open gate lets every thread pass")
  func gate() {
    let gate = Gate()
    let passed = Shared(0)
    let workers = (0..<3).map { _ in
      Worker {
        gate.wait()
        passed.increment()
      }
    }
    #expect(passed.value == 0)
    gate.open()
    for worker in workers { worker.join() }
    #expect(passed.value == 3)
  }

  @Test("work on several threads runs once for each index, and is awaited")
  func threads() {
    let seen = Recorder<Int>()
    onThreads(4) { seen.record($0) }
    #expect(seen.values.sorted() == [0, 1, 2, 3])
  }

  @Test("an inbox can be awaited before or after the value arrives")
  @MainActor func inbox() async {
    let inbox = Inbox<Int>()
    inbox.receive(1)
    await inbox.wait { $0 == 1 }
    Task { @MainActor in inbox.receive(2) }
    await inbox.wait { $0 == 2 }
    #expect(inbox.values == [1, 2])
  }

  @Test("a canceled task stops waiting for a value that never arrives")
  func eventLog() async {
    let never = EventLog<Int>()
    let cancelledBefore = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      await never.count(atLeast: 1)
    }
    await cancelledBefore.value
    let begun = EventLog<Int>()
    let cancelledAfter = Task {
      begun.record(1)
      await never.count(atLeast: 1)
    }
    await begun.count(atLeast: 1)
    cancelledAfter.cancel()
    await cancelledAfter.value
    #expect(never.values == [])
  }
}
