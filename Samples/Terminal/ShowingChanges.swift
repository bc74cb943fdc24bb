import Synchronization

/// Shows what goes wrong, once for as long as it stays the same: what failed may be tried again every second.
///
/// - Parameter show: Shows a line.
/// - Returns: What is to be told of each problem, from any thread.
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
