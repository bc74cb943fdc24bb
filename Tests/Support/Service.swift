/// A service whose calls a test answers by their names.
package final class Service: Sendable {
  package struct Trouble: Error, Equatable, CustomStringConvertible {
    package init() {}

    package var description: String { "trouble" }
  }

  private struct Contents {
    var waiting: [String: CheckedContinuation<String, any Error>] = [:]
    var answers: [String: Result<String, any Error>] = [:]
  }

  /// Whether a call ends immediately when its task is canceled.
  private let heedsCancellation: Bool
  private let contents = Shared(Contents())
  /// The calls that have begun, in order.
  package let calls = EventLog<String>()
  /// The calls that were canceled before they were answered.
  package let cancelled = EventLog<String>()

  package init(heedsCancellation: Bool = true) {
    self.heedsCancellation = heedsCancellation
  }

  /// Waits for the answer.
  package func call(_ name: String) async throws -> String {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let answer = contents.change { contents -> Result<String, any Error>? in
          if let answer = contents.answers.removeValue(forKey: name) { return answer }
          contents.waiting[name] = continuation
          return nil
        }
        calls.record(name)
        if let answer { continuation.resume(with: answer) }
      }
    } onCancel: {
      cancelled.record(name)
      if heedsCancellation { answer(name, with: .failure(CancellationError())) }
    }
  }

  /// Answers a call that has begun, or the next one with that name.
  package func answer(_ name: String, with answer: Result<String, any Error>? = nil) {
    let answer = answer ?? .success(name)
    let waiting = contents.change { contents -> CheckedContinuation<String, any Error>? in
      if let waiting = contents.waiting.removeValue(forKey: name) { return waiting }
      contents.answers[name] = answer
      return nil
    }
    waiting?.resume(with: answer)
  }

  package func fail(_ name: String) {
    answer(name, with: .failure(Trouble()))
  }
}
