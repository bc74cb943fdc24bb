import FluxAsync
import FluxCore
import TestSupport
import Testing

/// A task that takes the values of one iteration as they arrive.
final class Consumer<Element: Sendable>: Sendable {
  private let mailbox: StateMailbox<Element>
  private let recorder = Recorder<Element>()
  private let hasEnded = Shared(false)
  private let task: Task<Void, Never>

  init(_ stream: StateStream<Element>) {
    let iterator = stream.makeAsyncIterator()
    mailbox = iterator.mailbox
    task = Task { [recorder, hasEnded] in
      var iterator = iterator
      while let value = await iterator.next() { recorder.record(value) }
      hasEnded.value = true
    }
  }

  /// The values received so far.
  var values: [Element] { recorder.values }

  /// Whether it is waiting, either for a value or for the end of an interval.
  var isWaiting: Bool { mailbox.isAwaited }

  func cancel() {
    task.cancel()
  }

  /// Waits until it has taken the available values, and is waiting.
  func waits() async {
    await until { isWaiting }
  }

  /// Waits until it has received the given number of values.
  func isGiven(_ count: Int) async {
    await until { recorder.count >= count }
  }

  /// Waits for the end of the sequence; returns all received values.
  func end() async -> [Element] {
    await until { hasEnded.value }
    return values
  }
}

/// Runs other tasks until a condition is true.
func until(_ condition: () -> Bool, sourceLocation: SourceLocation = #_sourceLocation) async {
  while !condition() {
    if Task.isCancelled {
      Issue.record("It has not come to this.", sourceLocation: sourceLocation)
      return
    }
    await Task.yield()
  }
}

/// All the values of a stream until it ends.
func all<Element: Sendable>(of stream: StateStream<Element>) async -> [Element] {
  var values: [Element] = []
  for await value in stream { values.append(value) }
  return values
}

/// Runs work on several threads that start together, and waits without blocking a thread that
/// consumers could use.
func besideConsumers(_ count: Int, _ work: @escaping @Sendable (_ index: Int) -> Void) async {
  await withCheckedContinuation { continuation in
    _ = Worker {
      onThreads(count, work)
      continuation.resume()
    }
  }
}
