import FluxAsync
import FluxCore
import TestSupport

/// The arrived strings in order, and the errors.
struct Shelf: FluxState, Equatable {
  var texts: [String] = []
  var failures: [String] = []
}

struct Arrived: Action, Equatable {
  let text: String
}

/// Calls a service, and dispatches its answer.
struct Fetch: TaskAction {
  let name: String
  let service: Service
  var policy = WorkPolicy.every
  /// Is called after each run has dispatched or thrown.
  var over = EventLog<String>()

  init(
    _ name: String, from service: Service, _ policy: WorkPolicy = .every, over: EventLog<String> = EventLog()
  ) {
    self.name = name
    self.service = service
    self.policy = policy
    self.over = over
  }

  func execute(state: Shelf, dispatch: @escaping DispatchFunction) async throws {
    defer { over.record(name) }
    dispatch(Arrived(text: try await service.call(name)))
  }
}

let shelfReducer: ActionHandlers<Shelf> = combine(
  on(Arrived.self) { shelf, action in shelf.texts.append(action.text) },
  on(WorkFailed.self) { shelf, action in shelf.failures.append("\(action.error)") }
)
