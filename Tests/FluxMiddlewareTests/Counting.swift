import FluxCore
import TestSupport

/// The state of most tests: a sum and the appended strings.
struct Tally: FluxState, Equatable {
  var sum = 0
  var log: [String] = []
}

struct Add: Action, Equatable {
  var amount = 1
}

struct Note: Action, Equatable {
  var text: String
}

/// An action that no reducer handles.
struct Unhandled: Action, Equatable {}

/// An action that is an object, and may be an instance of a subclass.
class Thing: Action, @unchecked Sendable {}

final class SpecialThing: Thing, @unchecked Sendable {}

let tallyReducer: ActionHandlers<Tally> = combine(
  on(Add.self) { tally, action in tally.sum += action.amount },
  on(Note.self) { tally, action in tally.log.append(action.text) }
)

func makeStore(
  _ middleware: Middleware<Tally>..., plugins: [Plugin<Tally>] = [], state: Tally = Tally()
) -> Store<Tally> {
  Store(reducer: tallyReducer, middleware: middleware, plugins: plugins, state: state)
}

/// A middleware that records each action before and after the next link.
func noting(_ name: String, in recorder: Recorder<String>) -> Middleware<Tally> {
  { _, _ in
    { next in
      { action in
        recorder.record("\(name) \(type(of: action))")
        next(action)
        recorder.record("\(name) back")
      }
    }
  }
}
