import FluxAsync
import FluxLists
import TestSupport

/// A server whose calls a test answers one by one, by their numbers starting from 1.
final class Server<Answer: Sendable>: Sendable {
  struct Trouble: Error, Equatable, CustomStringConvertible {
    var description: String { "trouble" }
  }

  private struct Contents {
    var begun = 0
    var waiting: [Int: CheckedContinuation<Answer, any Error>] = [:]
    var answers: [Int: Result<Answer, any Error>] = [:]
  }

  private let contents = Shared(Contents())
  /// Whether a call ends immediately when its task is canceled.
  private let heedsCancellation: Bool
  /// The requests, in order.
  let calls = EventLog<String>()

  init(heedsCancellation: Bool = true) {
    self.heedsCancellation = heedsCancellation
  }

  /// Waits for the answer.
  func ask(_ question: String) async throws -> Answer {
    let number = contents.change { contents in
      contents.begun += 1
      return contents.begun
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let answer = contents.change { contents -> Result<Answer, any Error>? in
          if let answer = contents.answers.removeValue(forKey: number) { return answer }
          contents.waiting[number] = continuation
          return nil
        }
        calls.record(question)
        if let answer { continuation.resume(with: answer) }
      }
    } onCancel: {
      if heedsCancellation { answer(number, with: .failure(CancellationError())) }
    }
  }

  /// Answers a call that has begun or will begin.
  func answer(_ number: Int, with answer: Result<Answer, any Error>) {
    let waiting = contents.change { contents -> CheckedContinuation<Answer, any Error>? in
      if let waiting = contents.waiting.removeValue(forKey: number) { return waiting }
      contents.answers[number] = answer
      return nil
    }
    waiting?.resume(with: answer)
  }

  func fail(_ number: Int) {
    answer(number, with: .failure(Trouble()))
  }
}

typealias BookServer = Server<ListPage<Book>>

extension Server<ListPage<Book>> {
  /// Answers with numbered books.
  func answer(_ number: Int, _ books: some Sequence<Int>, total: Int? = nil, nextCursor: String? = nil) {
    answer(
      number, with: .success(ListPage(books.map { Book($0) }, total: total, nextCursor: nextCursor)))
  }
}
