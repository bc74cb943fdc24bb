import FluxCore

/// A value that comes once, and that tasks wait for.
final class OneShot<Value: Sendable>: Sendable {
  private enum Contents: Sendable {
    case empty(waiting: [CheckedContinuation<Value, Never>])
    case settled(Value)
  }

  private let contents = Locked(Contents.empty(waiting: []))

  /// Gives the value, unless there is one; returns whether this was the first.
  @discardableResult
  func settle(_ value: Value) -> Bool {
    let waiting = contents.withLock { contents -> [CheckedContinuation<Value, Never>]? in
      guard case .empty(let waiting) = contents else { return nil }
      contents = .settled(value)
      return waiting
    }
    for continuation in waiting ?? [] { continuation.resume(returning: value) }
    return waiting != nil
  }

  /// The value; cancelling does not shorten the wait.
  var value: Value {
    get async {
      await withCheckedContinuation { continuation in
        let settled = contents.withLock { contents -> Value? in
          switch contents {
          case .settled(let value): return value
          case .empty(let waiting):
            contents = .empty(waiting: waiting + [continuation])
            return nil
          }
        }
        if let settled { continuation.resume(returning: settled) }
      }
    }
  }
}
