import FluxCore

/// A wait that ends once: because what is waited for has come, or time is up, or the task is cancelled.
///
/// The first end counts, also if it comes before anybody waits.
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

  /// Ends the wait.
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

  /// Waits for the end, until a deadline on a timeline at the latest.
  ///
  /// For one task, once.
  nonisolated(nonsending) func value(until deadline: Duration, on timeline: Timeline) async -> End {
    let timer = Task {
      do {
        try await timeline.sleep(until: deadline)
        end(.timedOut)
      } catch {
        // Cancelled: it has ended otherwise.
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
