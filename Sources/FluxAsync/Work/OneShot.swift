package import FluxCore

/// A value that is set at most once, and the closures to call with the value.
package final class OneShot<Value: Sendable>: Sendable {
  /// A number that identifies a closure, and that is used to remove the closure.
  typealias Request = UInt64

  private struct Contents: Sendable {
    var value: Value?
    var handlers: [Request: @Sendable (Value) -> Void] = [:]
    var nextRequest: Request = 0
  }

  private let contents = Locked(Contents())

  /// Creates an instance whose value is not set.
  package init() {}

  /// The value, if it was set.
  var value: Value? { contents.withLock { $0.value } }

  /// Sets the value if no value was set, and calls the closures in the order in which they were
  /// added, outside the lock.
  ///
  /// - Returns: A Boolean value that indicates whether the method set the value.
  @discardableResult
  package func fire(_ value: Value) -> Bool {
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

  /// Sets the value without calling the closures, so that the value can be set under a lock.
  ///
  /// - Returns: The closures to call with the value, or `nil` if a value was already set.
  func settle(_ value: Value) -> Notice? {
    contents.withLock { contents in
      guard contents.value == nil else { return nil }
      contents.value = value
      defer { contents.handlers = [:] }
      return Notice(value: value, handlers: contents.handlers)
    }
  }

  /// Calls a closure with the value, immediately if the value was set, or later when the value
  /// is set.
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

  /// Removes a closure that has not been called yet.
  func forget(_ request: Request) {
    // The closure is released outside the lock.
    _ = contents.withLock { $0.handlers.removeValue(forKey: request) }
  }

  /// Waits for the value, even if the task is canceled.
  func wait() async -> Value {
    await withCheckedContinuation { continuation in
      whenFired { continuation.resume(returning: $0) }
    }
  }

  /// Waits for the value, and sets the given value if the task is canceled first.
  func wait(ifCancelled value: Value) async -> Value {
    await withTaskCancellationHandler {
      await wait()
    } onCancel: {
      fire(value)
    }
  }

  /// Waits for the value, and sets a given value if the deadline passes or the task is canceled
  /// first.
  ///
  /// - Parameters:
  ///   - deadline: The time at which the method calls `lateValue` if no value has been set.
  ///   - timeline: The timeline that measures the deadline. If the clock of the timeline throws
  ///     an error, the method waits without a deadline.
  ///   - lateValue: A closure that returns the value to set at the deadline, or `nil` if another
  ///     thread is about to set a value.
  ///   - cancellation: The value to set if the task is canceled. If the argument is `nil`, a
  ///     canceled task continues to wait.
  /// - Returns: The value that was set first.
  package nonisolated(nonsending) func wait(
    until deadline: Duration, on timeline: Timeline, ifLate lateValue: @escaping @Sendable () -> Value?,
    ifCancelled cancellation: Value? = nil
  ) async -> Value {
    let timer = Task {
      do {
        try await timeline.sleep(until: deadline)
      } catch {
        // The value was set before the deadline, or the clock failed.
        return
      }
      if let value = lateValue() { fire(value) }
    }
    defer { timer.cancel() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        whenFired { continuation.resume(returning: $0) }
      }
    } onCancel: {
      if let cancellation { fire(cancellation) }
    }
  }
}
