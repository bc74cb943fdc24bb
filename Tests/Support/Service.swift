/// A service whose calls a test answers by their names.
package final class Service: Sendable {
  package struct Trouble: Error, Equatable, CustomStringConvertible {
    package init() {}

    package var description: String { "trouble" }
  }

  private struct Call {
    let number: Int
    let continuation: CheckedContinuation<String, any Error>
  }

  private struct Contents {
    var begun = 0
    /// The calls that wait for their answers, from the oldest to the newest.
    var waiting: [String: [Call]] = [:]
    /// The answers to calls that have not begun.
    var answers: [String: Result<String, any Error>] = [:]
    /// The calls that were canceled before they began to wait.
    var cancelled: Set<Int> = []

    /// Returns the answer to a call that begins to wait, or `nil` if the call has to wait.
    mutating func begin(_ call: Call, _ name: String) -> Result<String, any Error>? {
      if cancelled.remove(call.number) != nil { return .failure(CancellationError()) }
      if let answer = answers.removeValue(forKey: name) { return answer }
      waiting[name, default: []].append(call)
      return nil
    }

    mutating func takeOldest(_ name: String) -> Call? {
      guard let calls = waiting[name], let oldest = calls.first else { return nil }
      waiting[name] = Array(calls.dropFirst())
      return oldest
    }

    /// Removes a call that was canceled, and returns the call if it was waiting.
    mutating func cancel(_ number: Int, _ name: String) -> Call? {
      guard let index = waiting[name]?.firstIndex(where: { $0.number == number }) else {
        cancelled.insert(number)
        return nil
      }
      return waiting[name]?.remove(at: index)
    }
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
  ///
  /// Several calls can wait with the same name.
  package func call(_ name: String) async throws -> String {
    let number = contents.change { contents in
      contents.begun += 1
      return contents.begun
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let call = Call(number: number, continuation: continuation)
        let answer = contents.change { $0.begin(call, name) }
        calls.record(name)
        if let answer { continuation.resume(with: answer) }
      }
    } onCancel: {
      cancelled.record(name)
      guard heedsCancellation else { return }
      let call = contents.change { $0.cancel(number, name) }
      call?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Answers the oldest call that waits, or the next call with that name.
  package func answer(_ name: String, with answer: Result<String, any Error>? = nil) {
    let answer = answer ?? .success(name)
    let waiting = contents.change { contents -> Call? in
      if let waiting = contents.takeOldest(name) { return waiting }
      contents.answers[name] = answer
      return nil
    }
    waiting?.continuation.resume(with: answer)
  }

  /// Answers the newest call that waits.
  package func answerNewest(_ name: String, with answer: String) {
    let newest = contents.change { $0.waiting[name]?.popLast() }
    newest?.continuation.resume(returning: answer)
  }

  package func fail(_ name: String) {
    answer(name, with: .failure(Trouble()))
  }
}
