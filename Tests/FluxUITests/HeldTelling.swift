import FluxCore
import FluxUI
import TestSupport

/// A plug-in that holds the thread which tells it of an action, until it is let go.
struct HeldTelling: Sendable {
  private let entered = Gate()
  private let leave = Gate()

  var plugin: Plugin<Notebook> {
    Plugin(
      onTransition: .actions { [entered, leave] _, _ in
        entered.open()
        leave.wait()
      })
  }

  /// Dispatches on another thread, and waits until that tells of it.
  func hold(_ dispatch: @escaping @Sendable () -> Void) -> Worker {
    let worker = Worker(dispatch)
    entered.wait()
    return worker
  }

  /// Lets the thread go, and waits for its end.
  func release(_ worker: Worker) {
    leave.open()
    worker.join()
  }
}
