import Flux

final class Tally {
  var count = 0
}

struct Score: FluxState {
  var points = 0
}

struct Add: Action {}

func reducersThatCapture() {
  let tally = Tally()
  _ = Store<Score>(
    reducer: { score, action in
      tally.count += 1  // refused: capture of 'tally' with non-Sendable type 'Tally' in a '@Sendable' closure
      score.points += 1
    }, state: Score())
  _ = Store<Score>(
    reducer: { score, action in
      Score(points: tally.count)  // refused: capture of 'tally' with non-Sendable type 'Tally'
    }, state: Score())
  let handlers = ActionHandlers<Score> {
    on(Add.self) { score, action in tally.count += 1 }  // refused: capture of 'tally'
  }
  let store = Store(reducer: handlers, state: Score())
  store.replaceReducer { score, action in
    tally.count += 1  // refused: capture of 'tally'
    score.points += 1
  }
  let combined: MutatingReducer<Score> = combine({ score, action in
    tally.count += 1  // refused: capture of 'tally'
  })
  _ = Store(reducer: combined, state: Score())
}

func reducersThatCount() {
  var calls = 0
  _ = Store<Score>(
    reducer: { score, action in
      calls += 1  // refused: mutation of captured var 'calls' in concurrently-executing code
      score.points += 1
    }, state: Score())
}

@MainActor
func reduceOnMain(score: inout Score, action: any Action) {}

func reducersOfAnActor() {
  _ = Store(reducer: reduceOnMain, state: Score())  // refused: loses global actor 'MainActor'
}
