// A command-line program whose top-level variables are captured by subscriptions on the main actor.
import Flux

struct State: FluxState {
  var count = 0
}

struct Increment: Action {}

let store = Store<State>(
  reducer: { state, action in if action is Increment { state.count += 1 } }, state: State())
var shown: [Int] = []
let token = store.subscribe(to: \.count, onMain: { count in shown.append(count) })

store.dispatch(Increment())
store.dispatch(Increment())
while shown.last != 2 { await Task.yield() }
print("shown first \(shown.first ?? -1), last \(shown.last ?? -1)")
token.cancel()
