import FluxAsync
import FluxCore
import FluxTesting
import TestSupport

/// Runs a closure as work.
struct Doing: TaskAction {
  var policy = WorkPolicy.every
  let body: @Sendable (@escaping DispatchFunction) async throws -> Void

  func execute(state: Shelf, dispatch: @escaping DispatchFunction) async throws { try await body(dispatch) }
}

/// A request to a service.
struct Asking: AsyncRequest {
  let name: String
  let service: Service
  var policy = WorkPolicy.every
  /// The refusal that replaces an error.
  var fallback: String?

  func perform(in context: RequestContext<Shelf>) async throws -> String {
    do {
      return try await service.call(name)
    } catch {
      guard let fallback else { throw error }
      return fallback
    }
  }
}

/// Calls back when the test answers it.
struct CallingBack: AsyncAction {
  let later: EventLog<DispatchFunction>
  func execute(state: (any FluxState)?, dispatch: @escaping DispatchFunction) { later.record(dispatch) }
}

struct Note: Action {
  let number: Int
  var kept: LifetimeTracker.Tracked?
}

/// Records the actions of requests in order, and the reasons of rejections.
let askingReducer: ActionHandlers<Shelf> = combine(
  shelfReducer,
  on(Note.self) { shelf, action in shelf.texts.append("\(action.number)") },
  on(Asking.Pending.self) { shelf, action in shelf.texts.append("pending \(action.request.name)") },
  on(Asking.Fulfilled.self) { shelf, action in shelf.texts.append("fulfilled \(action.request.name)") },
  on(Asking.Rejected.self) { shelf, action in
    shelf.texts.append("rejected \(action.request.name)")
    shelf.failures.append("\(action.failure)")
  })

/// A suite whose stores record the actions of requests, with all work on its clock.
protocol AskingSuite {
  var clock: ManualClock { get }
}

extension AskingSuite {
  func makeStore(_ middleware: Middleware<Shelf>...) -> Store<Shelf> {
    Store(
      reducer: askingReducer, middleware: middleware, plugins: [.asyncWork(clock: clock)], state: Shelf())
  }
}

/// Blocks threads that dispatch certain actions until the gate is opened.
final class Doorkeeper: Sendable {
  let inside = EventLog<Bool>()
  let door = Gate()

  func holding(_ isHeld: @escaping @Sendable (any Action) -> Bool) -> Middleware<Shelf> {
    { [self] _, _ in
      { next in
        { action in
          if isHeld(action) {
            self.inside.record(true)
            self.door.wait()
          }
          next(action)
        }
      }
    }
  }
}

/// Dispatches a string on a separate thread, which ignores cancellation.
func slowly(_ text: String, _ dispatch: @escaping DispatchFunction) async {
  await withCheckedContinuation { continuation in
    _ = Worker {
      dispatch(Arrived(text: text))
      continuation.resume()
    }
  }
}

/// Runs other tasks that are ready, so that a wrong event would happen now.
func othersRun() async {
  for _ in 1...200 { await Task.yield() }
}
