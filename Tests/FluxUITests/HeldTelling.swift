import FluxCore
import FluxUI
import TestSupport

/// A plug-in that blocks the thread that delivers an action until a test releases it.
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

  /// Dispatches on another thread, and waits until that thread delivers.
  func hold(_ dispatch: @escaping @Sendable () -> Void) -> Worker {
    let worker = Worker(dispatch)
    entered.wait()
    return worker
  }

  /// Releases the thread, and waits for its end.
  func release(_ worker: Worker) {
    leave.open()
    worker.join()
  }
}
