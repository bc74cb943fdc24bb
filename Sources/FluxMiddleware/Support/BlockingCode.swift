import Dispatch
import FluxCore

/// A way to run code that can block its thread.
package struct BlockingCode: Sendable {
  /// The timeline of a test that controls every step, or `nil` if the code runs on a queue.
  private let timeline: Timeline?

  /// Creates a way that a test controls if the test is running now.
  package init() { timeline = Timeline.ofTest }

  /// Runs a closure after this method has returned.
  ///
  /// The closure must not run on the threads that tasks share, because it can block, so it runs on
  /// a queue. In a test that controls every step, the closure is a step of a task.
  package func run(_ code: @escaping @Sendable () -> Void) {
    guard let timeline else { return DispatchQueue.global(qos: .utility).async(execute: code) }
    _ = timeline.startTask { code() }
  }

  /// Runs a closure, and returns its result.
  package func result<Value: Sendable>(of code: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      run { continuation.resume(returning: code()) }
    }
  }
}
