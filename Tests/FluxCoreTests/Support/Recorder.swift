import Synchronization

/// What was heard, in order, from any thread.
final class Recorder<Value: Sendable>: Sendable {
  private let recorded = Mutex<[Value]>([])

  var values: [Value] { recorded.withLock { $0 } }

  var count: Int { recorded.withLock { $0.count } }

  func record(_ value: Value) {
    recorded.withLock { $0.append(value) }
  }

  /// Forgets what was heard, and returns it.
  @discardableResult
  func takeAll() -> [Value] {
    recorded.withLock { values in
      defer { values = [] }
      return values
    }
  }
}

/// A value that tests and callbacks share.
final class Shared<Value: Sendable>: Sendable {
  private let storage: Mutex<Value>

  init(_ value: Value) {
    storage = Mutex(value)
  }

  var value: Value {
    get { storage.withLock { $0 } }
    set { storage.withLock { $0 = newValue } }
  }

  /// Changes the value and returns what it was.
  @discardableResult
  func exchange(_ new: Value) -> Value {
    storage.withLock { value in
      defer { value = new }
      return value
    }
  }
}

extension Shared<Int> {
  /// Adds one and returns the sum.
  @discardableResult
  func increment() -> Int {
    storage.withLock { value in
      value += 1
      return value
    }
  }
}
