/// What was heard on the main actor, to be waited for one by one.
@MainActor
package final class Inbox<Value: Sendable> {
  package private(set) var values: [Value] = []
  private var waiting: [(matches: (Value) -> Bool, resume: CheckedContinuation<Void, Never>)] = []

  package init() {}

  package func receive(_ value: Value) {
    values.append(value)
    let ready = waiting.filter { $0.matches(value) }
    waiting.removeAll { $0.matches(value) }
    for waiter in ready { waiter.resume.resume() }
  }

  /// Waits until a value that matches has been heard.
  package func wait(for matches: @escaping (Value) -> Bool) async {
    if values.contains(where: matches) { return }
    await withCheckedContinuation { waiting.append((matches, $0)) }
  }
}
