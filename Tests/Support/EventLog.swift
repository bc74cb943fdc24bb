/// The events in order, from any thread, for which a test can wait.
package final class EventLog<Value: Sendable>: Sendable {
  private struct Waiter: Sendable {
    let count: Int
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct Contents: Sendable {
    package var values: [Value] = []
    var waiting: [Int: Waiter] = [:]
    var cancelled: Set<Int> = []
    var waits = 0
  }

  private let contents = Shared(Contents())

  package init() {}

  package var values: [Value] { contents.value.values }

  package func record(_ value: Value) {
    let ready = contents.change { contents in
      contents.values.append(value)
      let ready = contents.waiting.filter { $0.value.count <= contents.values.count }
      for id in ready.keys { contents.waiting[id] = nil }
      return ready.sorted { $0.key < $1.key }
    }
    for (_, waiter) in ready { waiter.continuation.resume() }
  }

  /// Waits until the given number of events has been recorded, or until the waiting task is
  /// canceled, for example by a time limit.
  package func count(atLeast count: Int) async {
    let id = contents.change { contents in
      contents.waits += 1
      return contents.waits
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = contents.change { contents in
          if contents.values.count >= count || contents.cancelled.remove(id) != nil { return true }
          contents.waiting[id] = Waiter(count: count, continuation: continuation)
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      let waiter = contents.change { contents in
        if contents.waiting[id] == nil { contents.cancelled.insert(id) }
        return contents.waiting.removeValue(forKey: id)
      }
      waiter?.continuation.resume()
    }
  }

  package func forget() {
    contents.change { $0.values = [] }
  }
}
