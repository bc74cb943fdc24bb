import Flux

class Account {
  var owner = ""
}

struct Bank: FluxState {
  var account: Account  // refused: stored property 'account' of 'Sendable'-conforming struct 'Bank'
}

struct Open: Action {
  let account: Account  // refused: stored property 'account' of 'Sendable'-conforming struct 'Open'
}

final class Close: Action {
  var reason = ""  // refused: stored property 'reason' of 'Sendable'-conforming class 'Close' is mutable
}

struct Say: Action {
  let words: () -> String  // refused: stored property 'words' of 'Sendable'-conforming struct 'Say'
}

struct Plain: Sendable {
  var count = 0
}

func states() {
  _ = Store<Plain>(reducer: { _, _ in }, state: Plain())  // refused: 'Plain'
}

func actions(_ store: Store<Bank>) {
  store.dispatch(7)  // refused: argument type 'Int' does not conform to expected type 'Action'
}
