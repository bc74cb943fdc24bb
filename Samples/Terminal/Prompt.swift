import Synchronization

/// A prompt that comes when no command is being done any more.
///
/// A user may type the next command before the last one has ended.
package final class Prompt: Sendable {
  private let running = Atomic(0)
  private let show: @Sendable () -> Void

  /// Creates a prompt, which is shown by a closure.
  package init(show: @escaping @Sendable () -> Void) {
    self.show = show
  }

  /// Notes that a command begins.
  package func commandBegins() {
    running.add(1, ordering: .relaxed)
  }

  /// Waits for a command to end, without holding up the caller; shows the prompt when it was the last one.
  @discardableResult
  package func commandEnds(after end: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    Task.detached { [self] in
      await end()
      if running.subtract(1, ordering: .relaxed).newValue == 0 { show() }
    }
  }
}
