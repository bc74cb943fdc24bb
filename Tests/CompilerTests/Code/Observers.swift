import Flux

final class Label {
  var text = ""
}

struct Text: FluxState {
  var words: [String] = []
}

struct Write: Action {}

func observersThatCapture(_ store: Store<Text>) {
  let label = Label()
  let whole = store.subscribe { text in
    label.text = text.words.joined()  // refused: capture of 'label' with non-Sendable type 'Label'
  }
  let slice = store.subscribe(to: \.words) { words in
    label.text = words.joined()  // refused: capture of 'label' with non-Sendable type 'Label'
  }
  store.subscribe(owner: label) { label, text in  // refused: 'Sendable'
  }
  whole.cancel()
  slice.cancel()
}

func fromAnyThread(_ store: Store<Text>) {
  let token = store.subscribe(onMain: { text in })  // refused: call to main actor-isolated instance method
  token.cancel()
}

func middlewareThatCaptures() {
  let label = Label()
  let middleware: Middleware<Text> = { dispatch, getState in
    { next in
      { action in
        label.text = "an action"  // refused: capture of 'label' with non-Sendable type 'Label'
        next(action)
      }
    }
  }
  let observing: Middleware<Text> = observeActions { store, action in
    label.text = "an action"  // refused: capture of 'label' with non-Sendable type 'Label'
  }
  let plugin = Plugin<Text>(
    onTransition: .actions { action, version in
      label.text = "\(version)"  // refused: capture of 'label' with non-Sendable type 'Label'
    })
  _ = (middleware, observing, plugin)
}

func workThatCaptures() {
  let label = Label()
  let plan = ActionPlan<Text> { store in
    label.text = "work"  // refused: capture of 'label' with non-Sendable type 'Label'
  }
  let thunk = Thunk<Text> { dispatch, getState in
    label.text = "work"  // refused: capture of 'label' with non-Sendable type 'Label'
  }
  _ = (plan, thunk)
}

func changingWithoutAnAction(_ store: Store<Text>) {
  store.state.words = []  // refused: cannot assign to property: 'state' is a get-only property
  store.withState { text in text.words = [] }  // refused: 'text' is a 'let' constant
}

func withoutAToken(_ store: Store<Text>) {
  store.subscribe { text in }  // warned: result of call to 'subscribe(initial:_:)' is unused
}
