/// The threads that are dispatching actions in a scope.
///
/// If a thread dispatches within a dispatch, the collection contains the thread once for each of
/// these dispatches.
package struct DispatchingThreads: Hashable, Sendable {
  private var thread = ThreadIdentity(rawValue: 0)
  private var count: Int32 = 0
  /// The other threads, if several threads are dispatching actions.
  private var others: [ThreadIdentity] = []

  package init() {}

  var isEmpty: Bool { count == 0 }

  /// Returns a Boolean value that indicates whether a thread is dispatching an action.
  package func contains(_ given: ThreadIdentity) -> Bool {
    count > 0 && (thread == given || others.contains(given))
  }

  /// Returns a Boolean value that indicates whether a thread other than the given thread is
  /// dispatching an action.
  func contains(otherThan given: ThreadIdentity) -> Bool {
    count > 0 && (thread != given || others.contains { $0 != given })
  }

  package mutating func insert(_ given: ThreadIdentity) {
    guard count > 0, thread != given else {
      thread = given
      count += 1
      return
    }
    others.append(given)
  }

  package mutating func remove(_ given: ThreadIdentity) {
    guard thread == given, count > 0 else {
      if let index = others.lastIndex(of: given) { others.remove(at: index) }
      return
    }
    count -= 1
    guard count == 0, let next = others.popLast() else { return }
    thread = next
    count = 1
  }
}
