import FluxCore

/// A wait that ends when an event arrives, the time is up, or the task is canceled.
///
/// The first of these ends counts, even if it comes before a task waits.
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

  /// Waits for the end, at most until a deadline on a timeline.
  ///
  /// One task can call this method, once.
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
