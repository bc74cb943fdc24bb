import Foundation
import MovieBrowser
import Synchronization

/// A service of three pages with two films each, which first performs the given answers.
final class ScriptedService: MovieService {
  enum Answer: Sendable {
    case fail(MovieServiceError)
    /// Answers when the test releases it, and fails when it is canceled.
    case hold
  }

  private struct Contents {
    var answers: [Int: [Answer]]
    var calls: [Int] = []
    var cancelled: [Int] = []
    var held: [AsyncStream<Void>.Continuation] = []
  }

  private let contents: Mutex<Contents>
  private let arrivals = AsyncStream.makeStream(of: Int.self)

  /// Creates a service with its answers to the first calls for a page.
  init(_ answers: [Int: [Answer]] = [:]) {
    contents = Mutex(Contents(answers: answers))
  }

  /// The requested pages, in order.
  var calls: [Int] { contents.withLock { $0.calls } }

  /// The pages whose calls were canceled while they were held.
  var cancelled: [Int] { contents.withLock { $0.cancelled } }

  /// Waits until a page is requested.
  func asked(for number: Int) async {
    for await call in arrivals.stream where call == number { return }
  }

  /// Answers all held calls.
  func release() {
    for continuation in contents.withLock({ $0.held }) { continuation.finish() }
  }

  func page(_ number: Int) async throws(MovieServiceError) -> FilmPage {
    let (released, continuation) = AsyncStream.makeStream(of: Void.self)
    let answer = contents.withLock { contents -> Answer? in
      contents.calls.append(number)
      guard let answer = contents.answers[number]?.first else { return nil }
      contents.answers[number]?.removeFirst()
      if case .hold = answer { contents.held.append(continuation) }
      return answer
    }
    arrivals.continuation.yield(number)
    switch answer {
    case .fail(let error): throw error
    case .hold:
      // The handler runs before the cancellation returns, so a test need not wait for this task.
      await withTaskCancellationHandler {
        for await _ in released {}
      } onCancel: {
        contents.withLock { $0.cancelled.append(number) }
      }
    case nil: break
    }
    do {
      return try JSONDecoder().decode(FilmPage.self, from: Data(pageJSON(number, of: 3).utf8))
    } catch {
      throw MovieServiceError(.malformed, "\(error)")
    }
  }
}
