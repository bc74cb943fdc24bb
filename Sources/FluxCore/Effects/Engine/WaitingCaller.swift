/// A task that is waiting for an event, such as the end of all work in a scope.
package struct WaitingCaller: Sendable {
  /// A number that distinguishes the callers that wait for the same object.
  package let number: UInt64
  private let continuation: UnsafeContinuation<Bool, Never>

  package init(_ number: UInt64, _ continuation: UnsafeContinuation<Bool, Never>) {
    self.number = number
    self.continuation = continuation
  }

  /// Resumes the task.
  ///
  /// - Parameter isCancelled: A Boolean value that indicates whether the task is resumed because
  ///   it was canceled, and not because the event occurred.
  package func resume(isCancelled: Bool) {
    continuation.resume(returning: !isCancelled)
  }
}
