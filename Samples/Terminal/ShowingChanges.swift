import Synchronization

/// Returns a closure that shows problems, without repeating a problem that has not changed.
///
/// An operation that is retried every second would otherwise show the same problem each time.
///
/// - Parameter show: Shows a line.
/// - Returns: A closure to call with each problem, from any thread.
package func showingChanges<Problem: Equatable & Sendable>(
  with show: @escaping @Sendable (String) -> Void
) -> @Sendable (Problem) -> Void {
  let last = Mutex<Problem?>(nil)
  return { problem in
    let isNew = last.withLock { last in
      defer { last = problem }
      return last != problem
    }
    if isNew { show("! \("\(problem)".tame)") }
  }
}
