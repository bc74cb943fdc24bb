import Synchronization

/// A value that tasks share.
final class Shared<Value: Sendable>: Sendable {
  private let contents: Mutex<Value>

  init(_ value: Value) {
    contents = Mutex(value)
  }

  var value: Value {
    get { contents.withLock { $0 } }
    set { contents.withLock { $0 = newValue } }
  }
}
