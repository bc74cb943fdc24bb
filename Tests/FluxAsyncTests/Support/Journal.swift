import FluxAsync
import FluxCore
import Synchronization

struct Count: FluxState, Equatable {
  var count = 0
}

struct Add: Action {
  let amount: Int
}

/// An async action that records its execution and the state, and then runs its closure.
struct Work: AsyncAction {
  let journal: Journal
  let body: @Sendable (_ dispatch: @escaping DispatchFunction) -> Void

  init(_ journal: Journal, _ body: @escaping @Sendable (@escaping DispatchFunction) -> Void = { _ in }) {
    self.journal = journal
    self.body = body
  }

  func execute(state: (any FluxState)?, dispatch: @escaping DispatchFunction) {
    journal.note("execute with \((state as? Count).map { "\($0.count)" } ?? "no state")")
    body(dispatch)
  }
}

/// Records events in order.
final class Journal: Sendable {
  private let noted = Mutex<[String]>([])

  var entries: [String] { noted.withLock { $0 } }

  func note(_ entry: String) {
    noted.withLock { $0.append(entry) }
  }

  /// A reducer that records each action and adds its amount.
  var reducer: MutatingReducer<Count> {
    { [self] state, action in
      note("reduce \(type(of: action))")
      if let action = action as? Add { state.count += action.amount }
    }
  }

  /// A middleware that records each action and passes it on.
  func noting(_ name: String) -> Middleware<Count> {
    { [self] _, _ in
      { next in
        { action in
          self.note("\(name): \(type(of: action))")
          next(action)
        }
      }
    }
  }
}

/// Holds actions until a test passes them on.
final class Held: Sendable {
  private let waiting = Mutex<[@Sendable () -> Void]>([])

  func middleware() -> Middleware<Count> {
    { [self] _, _ in
      { next in
        { action in
          self.waiting.withLock { $0.append { next(action) } }
        }
      }
    }
  }

  /// Passes on the held actions.
  func passOn() {
    let waiting = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    for pass in waiting { pass() }
  }
}
