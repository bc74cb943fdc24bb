import TestSupport
import Testing

@testable import FluxCore

@Suite("The lock of a store", .unlessItHangs)
struct StoreLockTests {
  private final class Number: Sendable {
    let lock = StoreLock(0)

    var isHeld: Bool { lock.record.isHeld }
    var isHeldHere: Bool { lock.record.isHeld(by: .current) }
    var value: Int { lock.withLock(by: .current) { $0 } }
  }

  @Test("The intervals of a backoff double, and their number is limited")
  func intervals() {
    #expect(Array(Backoff()) == [1, 2, 4, 8].map(Duration.microseconds))
  }

  @Test("A backoff ends even if another thread does not release the lock")
  func limit() {
    let number = Number()
    number.lock.withLock(by: .current) { _ in
      #expect(number.isHeld)
      onAnotherThread { number.lock.record.backOff() }
      #expect(number.isHeld)
    }
    #expect(!number.isHeld)
  }

  @Test("Only the thread that holds the lock is its holder")
  func holder() {
    let number = Number()
    let isHeldByOther = Shared(true)
    number.lock.withLock(by: .current) { _ in
      #expect(number.isHeldHere)
      onAnotherThread { isHeldByOther.value = number.isHeldHere }
    }
    #expect(!isHeldByOther.value)
    #expect(!number.isHeldHere)
  }

  @Test("A thread that has backed off waits for the lock")
  func waiting() {
    let number = Number()
    let started = Gate()
    let worker = number.lock.withLock(by: .current) { value in
      let worker = Worker {
        started.open()
        number.lock.withLock(by: .current) { $0 += 1 }
      }
      started.wait()
      onAnotherThread { number.lock.record.backOff() }
      #expect(value == 0)
      value = 10
      return worker
    }
    worker.join()
    #expect(number.value == 11)
  }
}
