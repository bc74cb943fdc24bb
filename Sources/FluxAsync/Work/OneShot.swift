import FluxCore

/// A value that comes once, and that one task waits for.
final class OneShot<Value: Sendable>: Sendable {
  private enum Contents: Sendable {
    case empty
    case waiting(CheckedContinuation<Value, Never>)
    case settled(Value)
  }

  private let contents = Locked(Contents.empty)

  /// Gives the value, unless there is one; returns whether this was the first.
  @discardableResult
  func settle(_ value: Value) -> Bool {
    let (continuation, isFirst) = contents.withLock {
      contents -> (CheckedContinuation<Value, Never>?, Bool) in
      switch contents {
      case .empty:
        contents = .settled(value)
        return (nil, true)
      case .waiting(let continuation):
        contents = .settled(value)
        return (continuation, true)
      case .settled: return (nil, false)
      }
    }
    continuation?.resume(returning: value)
    return isFirst
  }

  /// The value, waited for by one task at a time; cancelling does not shorten the wait.
  var value: Value {
    get async {
      await withCheckedContinuation { continuation in
        let settled = contents.withLock { contents -> Value? in
          if case .settled(let value) = contents { return value }
          contents = .waiting(continuation)
          return nil
        }
        if let settled { continuation.resume(returning: settled) }
      }
    }
  }
}
