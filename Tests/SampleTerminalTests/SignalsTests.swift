import Dispatch
import Foundation
import SampleTerminal
import TestSupport
import Testing

@Suite("Signals", .unlessItHangs)
struct SignalsTests {
  @Test("a signal that arrives after the handler is installed is not lost, however early it is")
  func atOnce() async {
    await #expect(processExitsWith: .exitCode(7)) {
      let signals = onSignals(SIGHUP) { _ in exit(7) }
      kill(getpid(), SIGHUP)
      withExtendedLifetime(signals) { DispatchSemaphore(value: 0).wait() }
    }
  }
}
