import Synchronization

/// A prompt that appears when no command is running.
///
/// The user can type the next command before the previous command has ended.
package final class Prompt: Sendable {
  private let running = Atomic(0)
  private let show: @Sendable () -> Void

  /// Creates a prompt that a closure shows.
  package init(show: @escaping @Sendable () -> Void) {
    self.show = show
  }

  /// Records that a command has begun.
  package func commandBegins() {
    running.add(1, ordering: .relaxed)
  }

  /// Waits for the end of a command without blocking the caller, and shows the prompt after the
  /// last command.
  @discardableResult
  package func commandEnds(after end: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    Task.detached { [self] in
      await end()
      if running.subtract(1, ordering: .relaxed).newValue == 0 { show() }
    }
  }
}
