package import FluxCore

/// A value that is set at most once, and the closures to call with the value.
package final class OneShot<Value: Sendable>: Sendable {
  /// A number that identifies a handler, and that is used to remove the handler.
  typealias Request = UInt64

  fileprivate typealias Handler = @Sendable (Value) -> Void

  private struct Contents: Sendable {
    var value: Value?
    /// One of the handlers, so that a value with a single handler needs no dictionary.
    var first: (request: Request, handler: Handler)?
    var others: [Request: Handler] = [:]
    var lastRequest: Request = 0

    mutating func insert(_ handler: @escaping Handler, _ request: Request) {
      if first == nil { first = (request, handler) } else { others[request] = handler }
    }

    mutating func remove(_ request: Request) -> Handler? {
      guard first?.request == request else { return others.removeValue(forKey: request) }
      return first.take()?.handler
    }
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

  /// The handlers to call with the value.
  struct Notice: Sendable {
    fileprivate let value: Value
    fileprivate let first: (request: Request, handler: Handler)?
    fileprivate let others: [Request: Handler]

    /// Calls the handlers in the order in which they were added, outside any lock.
    func tell() {
      guard let first else { return }
      guard !others.isEmpty else { return first.handler(value) }
      var all = others
      all[first.request] = first.handler
      for entry in all.sorted(by: { $0.key < $1.key }) { entry.value(value) }
    }
  }

  /// Sets the value without calling the handlers, so that the value can be set under a lock.
  ///
  /// - Returns: The handlers to call with the value, or `nil` if a value was already set.
  func settle(_ value: Value) -> Notice? {
    Timeline.stepAffectsOthers()
    return contents.withLock { contents in
      guard contents.value == nil else { return nil }
      contents.value = value
      // If the first handler was removed, another handler takes its place.
      if contents.first == nil, let other = contents.others.popFirst() {
        contents.first = (other.key, other.value)
      }
      defer { contents.others = [:] }
      return Notice(value: value, first: contents.first.take(), others: contents.others)
    }
  }

  /// Calls a closure with the value, immediately if the value was set, or later when the value
  /// is set.
  @discardableResult
  func whenFired(_ handle: @escaping @Sendable (Value) -> Void) -> Request {
    let (request, value) = contents.withLock { contents in
      contents.lastRequest += 1
      if contents.value == nil { contents.insert(handle, contents.lastRequest) }
      return (contents.lastRequest, contents.value)
    }
    if let value { handle(value) }
    return request
  }

  /// Removes a closure that has not been called yet.
  func forget(_ request: Request) {
    // The closure is released outside the lock.
    _ = contents.withLock { $0.remove(request) }
  }

  /// Waits for the value, even if the task is canceled.
  func wait() async -> Value {
    await withCheckedContinuation { continuation in
      whenFired { continuation.resume(returning: $0) }
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
    let timer = timeline.startTimer(until: deadline) { [self] error in
      // If there is an error, the value was set before the deadline, or the clock failed.
      if error == nil, let value = lateValue() { fire(value) }
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
