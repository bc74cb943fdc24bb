import FluxAsync
import FluxCore
import FluxTesting
import TestSupport

/// Does what a closure says, as work.
struct Doing: TaskAction {
  var policy = WorkPolicy.every
  let body: @Sendable (@escaping DispatchFunction) async throws -> Void

  func execute(state: Shelf, dispatch: @escaping DispatchFunction) async throws { try await body(dispatch) }
}

/// Asks a service, as a request.
struct Asking: AsyncRequest {
  let name: String
  let service: Service
  var policy = WorkPolicy.every
  /// What is answered in place of an error.
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

/// Calls back when the test says so.
struct CallingBack: AsyncAction {
  let later: EventLog<DispatchFunction>
  func execute(state: (any FluxState)?, dispatch: @escaping DispatchFunction) { later.record(dispatch) }
}

struct Note: Action {
  let number: Int
  var kept: LifetimeTracker.Tracked?
}

/// Notes what happens to requests, in order, and why they were rejected.
let askingReducer: ActionHandlers<Shelf> = combine(
  shelfReducer,
  on(Note.self) { shelf, action in shelf.texts.append("\(action.number)") },
  on(Asking.Pending.self) { shelf, action in shelf.texts.append("pending \(action.request.name)") },
  on(Asking.Fulfilled.self) { shelf, action in shelf.texts.append("fulfilled \(action.request.name)") },
  on(Asking.Rejected.self) { shelf, action in
    shelf.texts.append("rejected \(action.request.name)")
    shelf.failures.append("\(action.failure)")
  })

/// A suite whose stores note what happens to requests, with all work on its clock.
protocol AskingSuite {
  var clock: ManualClock { get }
}

extension AskingSuite {
  func makeStore(_ middleware: Middleware<Shelf>...) -> Store<Shelf> {
    Store(
      reducer: askingReducer, middleware: middleware, plugins: [.asyncWork(clock: clock)], state: Shelf())
  }
}

/// Holds threads that dispatch certain actions until the door is opened.
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

/// Dispatches a text on a thread of its own, heedless of cancellation.
func slowly(_ text: String, _ dispatch: @escaping DispatchFunction) async {
  await withCheckedContinuation { continuation in
    _ = Worker {
      dispatch(Arrived(text: text))
      continuation.resume()
    }
  }
}

/// Lets other tasks run that are ready, so that what must not happen has its chance.
func othersRun() async {
  for _ in 1...200 { await Task.yield() }
}
