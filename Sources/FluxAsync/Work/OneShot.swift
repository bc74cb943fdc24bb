import FluxCore

/// A value that comes once: who asks before is told when it comes, who asks after at once.
final class OneShot<Value: Sendable>: Sendable {
  /// Names what was asked, to take it back.
  typealias Request = UInt64

  private struct Contents: Sendable {
    var value: Value?
    var handlers: [Request: @Sendable (Value) -> Void] = [:]
    var nextRequest: Request = 0
  }

  private let contents = Locked(Contents())

  /// The value, if it has come.
  var value: Value? { contents.withLock { $0.value } }

  /// Gives the value, unless there is one; tells those who have asked, in their order, outside the lock.
  ///
  /// - Returns: Whether this was the first value.
  @discardableResult
  func fire(_ value: Value) -> Bool {
    guard let notice = settle(value) else { return false }
    notice.tell()
    return true
  }

  /// The closures to call with the value.
  struct Notice: Sendable {
    fileprivate let value: Value
    fileprivate let handlers: [Request: @Sendable (Value) -> Void]

    /// Calls the closures in the order in which they were added, outside any lock.
    func tell() {
      for handler in handlers.sorted(by: { $0.key < $1.key }) { handler.value(value) }
    }
  }

  /// Sets the value without calling anything, so that it can be set under a lock.
  ///
  /// - Returns: What remains to be called; `nil` if there is a value already.
  func settle(_ value: Value) -> Notice? {
    contents.withLock { contents in
      guard contents.value == nil else { return nil }
      contents.value = value
      defer { contents.handlers = [:] }
      return Notice(value: value, handlers: contents.handlers)
    }
  }

  /// Has a closure called with the value, at once if it is there.
  @discardableResult
  func whenFired(_ handle: @escaping @Sendable (Value) -> Void) -> Request {
    let (request, value) = contents.withLock { contents in
      contents.nextRequest += 1
      if contents.value == nil { contents.handlers[contents.nextRequest] = handle }
      return (contents.nextRequest, contents.value)
    }
    if let value { handle(value) }
    return request
  }

  /// Has a closure not called, if it has not been.
  func forget(_ request: Request) {
    // Released outside the lock.
    _ = contents.withLock { $0.handlers.removeValue(forKey: request) }
  }

  /// Waits for the value, whether or not the task is cancelled.
  func wait() async -> Value {
    await withCheckedContinuation { continuation in
      whenFired { continuation.resume(returning: $0) }
    }
  }

  /// Waits for the value, and gives it itself when the task is cancelled first.
  func wait(ifCancelled value: Value) async -> Value {
    await withTaskCancellationHandler {
      await wait()
    } onCancel: {
      fire(value)
    }
  }
}
