import Foundation

// The thread sanitizer on Linux does not recognize the standard library's mutex when threads
// contend for it, and would report its users. Therefore a lock of Foundation is used here.

/// A value that tests and callbacks share.
package final class Shared<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var stored: Value

  package init(_ value: Value) {
    stored = value
  }

  package var value: Value {
    get { change { $0 } }
    set { exchange(newValue) }
  }

  /// Changes the value and returns what it was.
  @discardableResult
  package func exchange(_ new: Value) -> Value {
    change { value in
      defer { value = new }
      return value
    }
  }

  /// Changes the value while no other thread does.
  package func change<Result>(_ body: (inout Value) -> Result) -> Result {
    lock.withLock { body(&stored) }
  }
}

extension Shared<Int> {
  /// Adds one and returns the sum.
  @discardableResult
  package func increment() -> Int {
    change { value in
      value += 1
      return value
    }
  }
}

/// The received values in order, from any thread.
package final class Recorder<Value: Sendable>: Sendable {
  private let recorded = Shared<[Value]>([])

  package init() {}

  package var values: [Value] { recorded.value }

  package var count: Int { recorded.change { $0.count } }

  package func record(_ value: Value) {
    recorded.change { $0.append(value) }
  }

  /// Removes the recorded values, and returns them.
  @discardableResult
  package func takeAll() -> [Value] {
    recorded.exchange([])
  }
}
