import Flux

final class Tally {
  var count = 0

  func reduce(score: inout Score, action: any Action) { count += 1 }
  func add(score: inout Score, action: Add) { count += 1 }
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

func reducersByName(_ store: Store<Score>) {
  let tally = Tally()
  func returning(score: Score, action: any Action) -> Score { Score(points: tally.count) }
  func inPlace(score: inout Score, action: any Action) { tally.count += 1 }
  _ = Store(reducer: returning, state: Score())  // refused: converting non-Sendable function value
  _ = Store(reducer: inPlace, state: Score())  // refused: converting non-Sendable function value
  store.replaceReducer(returning)  // refused: converting non-Sendable function value
  store.replaceReducer(inPlace)  // refused: converting non-Sendable function value
  let first: Reducer<Score> = combine(returning)  // refused: converting non-Sendable function value
  let second: MutatingReducer<Score> = combine(inPlace)  // refused: converting non-Sendable function value
  let third: MutatingReducer<Score> = lift(inPlace, to: \Score.self)  // refused: converting non-Sendable
  let handlers = on(Add.self, tally.add)  // refused: converting non-Sendable function value
  _ = Store(reducer: tally.reduce, state: Score())  // refused: converting non-Sendable function value
  _ = (first, second, third, handlers)
}

func reducersGiven(reducer: @escaping (inout Score, any Action) -> Void) {
  _ = Store(reducer: reducer, state: Score())  // refused: passing non-Sendable parameter 'reducer'
}

func twins() {
  _ = Store<Score>(reducer: { score, _ in score }, state: Score(), ())  // refused: is unavailable
}

@MainActor
func reduceOnMain(score: inout Score, action: any Action) {}

func reducersOfAnActor() {
  _ = Store(reducer: reduceOnMain, state: Score())  // refused: loses global actor 'MainActor'
}
