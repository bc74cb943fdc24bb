/// What has happened, in order, to be waited for; from any thread.
package final class EventLog<Value: Sendable>: Sendable {
  private struct Waiter: Sendable {
    let count: Int
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct Contents: Sendable {
    package var values: [Value] = []
    var waiting: [Waiter] = []
  }

  private let contents = Shared(Contents())

  package init() {}

  package var values: [Value] { contents.value.values }

  package func record(_ value: Value) {
    let ready = contents.change { contents in
      contents.values.append(value)
      let ready = contents.waiting.filter { $0.count <= contents.values.count }
      contents.waiting.removeAll { $0.count <= contents.values.count }
      return ready
    }
    for waiter in ready { waiter.continuation.resume() }
  }

  /// Waits until so many have been recorded.
  package func count(atLeast count: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = contents.change { contents in
        if contents.values.count >= count { return true }
        contents.waiting.append(Waiter(count: count, continuation: continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
  }

  package func forget() {
    contents.change { $0.values = [] }
  }
}
