/// The values received on the main actor, for which a test can wait one by one.
@MainActor
package final class Inbox<Value: Sendable> {
  package private(set) var values: [Value] = []
  private var waiting: [Waiter] = []
  private var waits = 0

  private struct Waiter {
    let id: Int
    let matches: (Value) -> Bool
    let continuation: CheckedContinuation<Void, Never>
  }

  package init() {}

  package func receive(_ value: Value) {
    values.append(value)
    let ready = waiting.filter { $0.matches(value) }
    waiting.removeAll { $0.matches(value) }
    for waiter in ready { waiter.continuation.resume() }
  }

  /// Waits until a matching value has been received, or until the waiting task is canceled, for
  /// example by a time limit.
  package func wait(for matches: @escaping (Value) -> Bool) async {
    if values.contains(where: matches) { return }
    waits += 1
    let id = waits
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if Task.isCancelled { return continuation.resume() }
        waiting.append(Waiter(id: id, matches: matches, continuation: continuation))
      }
    } onCancel: {
      Task { @MainActor in stopWaiting(id) }
    }
  }

  private func stopWaiting(_ id: Int) {
    guard let place = waiting.firstIndex(where: { $0.id == id }) else { return }
    waiting.remove(at: place).continuation.resume()
  }
}
