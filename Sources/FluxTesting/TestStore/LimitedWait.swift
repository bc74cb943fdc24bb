import FluxCore

/// A wait that ends when an event arrives, when the time limit is reached, or when the task is
/// canceled.
///
/// Only the first of these causes ends the wait, even if it occurs before a task begins to
/// wait.
final class LimitedWait: Sendable {
  enum End: Sendable {
    case arrived
    case timedOut
    case cancelled
  }

  private enum State: Sendable {
    case open
    case waiting(CheckedContinuation<End, Never>)
    case ended(End)
  }

  private let state = Locked(State.open)

  /// Ends the wait, unless it has already ended.
  func end(_ end: End) {
    let continuation = state.withLock { state -> CheckedContinuation<End, Never>? in
      switch state {
      case .ended: return nil
      case .open:
        state = .ended(end)
        return nil
      case .waiting(let continuation):
        state = .ended(end)
        return continuation
      }
    }
    continuation?.resume(returning: end)
  }

  /// Waits until the wait ends, but no later than a deadline on a timeline, and returns the
  /// cause.
  ///
  /// Call this method only once, from one task.
  nonisolated(nonsending) func value(until deadline: Duration, on timeline: Timeline) async -> End {
    let timer = Task {
      do {
        try await timeline.sleep(until: deadline)
        end(.timedOut)
      } catch {
        // The timer was canceled because the wait has ended.
      }
    }
    defer { timer.cancel() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let ended = state.withLock { state -> End? in
          if case .ended(let end) = state { return end }
          state = .waiting(continuation)
          return nil
        }
        if let ended { continuation.resume(returning: ended) }
      }
    } onCancel: {
      end(.cancelled)
    }
  }
}
