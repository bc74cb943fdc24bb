import FluxAsync
import FluxCore
import FluxTesting
import TestSupport

struct Count: FluxState, Equatable {
  var count = 0
}

struct Add: Action, Equatable {
  var amount = 1
}

struct Subtract: Action {}

struct Note: Action, Equatable {
  var text = ""
}

/// An action without a listener.
struct Other: Action {}

struct Trouble: Error, Equatable {
  var text = ""
}

/// A store with listeners, on a separate clock.
struct Scene {
  let clock = ManualClock()
  let journal = Journal()
  let failures = Recorder<ListenerFailure>()
  let reduced = Recorder<String>()
  let listeners: Listeners<Count>
  let store: Store<Count>

  init(plugins: [Plugin<Count>] = []) {
    let failures = failures
    listeners = Listeners(clock: clock) { failure in failures.record(failure) }
    store = makeStore(plugins: plugins + [listeners.plugin], reduced: reduced)
  }

  /// Dispatches, and waits until all effects of the action have ended.
  func settle(_ action: any Action) async {
    await store.dispatchAsync(action).finished()
  }
}

func makeStore(plugins: [Plugin<Count>], reduced: Recorder<String> = Recorder()) -> Store<Count> {
  Store(
    reducer: { (state: inout Count, action: any Action) in
      reduced.record("\(type(of: action))")
      switch action {
      case let add as Add: state.count += add.amount
      case is Subtract: state.count -= 1
      default: break
      }
    }, plugins: plugins, state: Count())
}

/// The reason of a cancellation, or another result.
func reason(of body: () async throws -> Void) async -> String {
  do {
    try await body()
    return "returned"
  } catch let error as ListenerError {
    return "\(error.code)"
  } catch {
    return "\(error)"
  }
}

/// A description of a forked task's result.
func outcome<Value>(_ task: ForkedTask<Value>) async -> String {
  do {
    switch try await task.result {
    case .ok(let value): return "ok \(value)"
    case .rejected(let error): return "rejected \(error)"
    case .cancelled(let error): return "cancelled: \(error.code)"
    }
  } catch let error as ListenerError {
    return "threw: \(error.code)"
  } catch {
    return "threw \(error)"
  }
}
