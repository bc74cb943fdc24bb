import FluxLog
import TestSupport
import Testing

@Suite("Lifetimes of captured values in logs", .unlessItHangs)
struct LogLifetimeTests {
  @Test("a MemoryLog keeps its closure until the log is released")
  func memoryLog() async throws {
    let tracker = LifetimeTracker()
    do {
      let object = tracker.make()
      let log = MemoryLog { _ in
        object.touch()
        return nil
      }
      try await log.append("a")
      #expect(tracker.alive == 1)
      withExtendedLifetime(log) {}
    }
    #expect(tracker.alive == 0)
  }
}
