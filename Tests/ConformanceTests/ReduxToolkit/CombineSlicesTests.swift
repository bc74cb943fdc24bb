import FluxCore
import FluxMiddleware
import TestSupport
import Testing

private struct Slices: FluxState, Equatable {
  var text = ""
  var number = 0
  var flag = false
}

/// Nested slices, some of which may be added later.
private struct Root: FluxState, Equatable {
  var inner = Slices()
}

/// A state with a slot for slices that are added later.
private struct Open: FluxState {
  var text = ""
  var features = FeatureStates()
}

private struct Number: FluxState, Equatable {
  var value = 0
}

private let number = Feature(
  "number", state: Number(), reducer: on(Set.self) { number, _ in number.value += 1 })

private struct Set: Action {}

private let setText: ActionHandlers<String> = on(Set.self) { text, _ in text += "a" }
private let setNumber: ActionHandlers<Int> = on(Set.self) { number, _ in number += 1 }
private let setFlag: ActionHandlers<Bool> = on(Set.self) { flag, _ in flag = true }

@Suite(
  "Redux Toolkit: combineSlices",
  .cases(
    of: "reduxjs/redux-toolkit", "packages/toolkit/src/tests/combineSlices.test.ts", at: "74200d87", count: 11
  ))
struct CombineSlicesTests {
  @Test("slices and reducers are combined, and each slice starts with its own initial value", .holds(1))
  func combining() {
    let store = Store(
      reducer: combine(lift(setText, to: \.text), lift(setNumber, to: \.number), lift(setFlag, to: \.flag)),
      state: Slices())
    store.dispatch(Unknown())
    #expect(store.state == Slices(text: "", number: 0, flag: false))
    store.dispatch(Set())
    #expect(store.state == Slices(text: "a", number: 1, flag: true))
  }

  @Test("a store may start without any reducers, and then no action changes its state", .holds(2))
  func none() {
    let none: ActionHandlers<Slices> = combine()
    let store = Store(reducer: none, state: Slices(number: 3))
    store.dispatch(Set())
    #expect(store.state == Slices(number: 3))
    store.replaceReducer(lift(setText, to: \Slices.text))
    store.dispatch(Set())
    #expect(store.state == Slices(text: "a", number: 3))
  }

  @Test("the reducer of a slice can be added to a running store", .holds(3))
  func adding() {
    let features = Features(at: \Open.features)
    let store = Store(
      reducer: lift(setText, to: \Open.text), plugins: [features.plugin], state: Open())
    store.dispatch(Set())
    #expect(store.state.text == "a")
    #expect(store.state.features[number].value == 0)
    features.attach(number)
    store.dispatch(Set())
    #expect(store.state.text == "aa")
    #expect(store.state.features[number].value == 1)
  }

  @Test("a second reducer under the name of an added slice is reported, and is not used", .holds(4))
  func sameSlice() {
    let problems = Recorder<FeatureError>()
    let features = Features(at: \Open.features) { problems.record($0) }
    let store = Store(
      reducer: lift(setText, to: \Open.text), plugins: [features.plugin], state: Open())
    let doubling = Feature(
      "number", state: Number(), reducer: on(Set.self) { number, _ in number.value *= 2 })
    features.attach(number)
    features.attach(doubling)
    #expect(problems.values.map(\.code) == [.otherFeature])
    store.dispatch(Set())
    #expect(store.state.features[number].value == 1)
  }

  @Test("the reducer of a slice can be replaced by another", .holds(5))
  func replacing() {
    let text = lift(setText, to: \Slices.text)
    let store = Store(reducer: combine(text, lift(setNumber, to: \.number)), state: Slices())
    store.dispatch(Set())
    let resetting: ActionHandlers<Int> = on(Set.self) { number, _ in number = 0 }
    store.replaceReducer(combine(text, lift(resetting, to: \.number)))
    store.dispatch(Set())
    #expect(store.state == Slices(text: "aa", number: 0))
  }

  // MARK: Selectors

  @Test(
    "a selector returns the initial value of a slice before any action, and before the slice has a reducer",
    .holds(6))
  func firstValue() {
    let flag = StateSelector(\Slices.flag) { flag in flag ? "on" : "off" }
    let store = Store(reducer: lift(setText, to: \Slices.text), state: Slices())
    #expect(flag(store.state) == "off")
    store.replaceReducer(lift(setFlag, to: \Slices.flag))
    #expect(flag(store.state) == "off")
    store.dispatch(Set())
    #expect(flag(store.state) == "on")
  }

  @Test("a selector of slices also works on a state in which the slices are nested", .holds(9))
  func nested() {
    let number = StateSelector(\Slices.number) { number in number * 10 }
    let ofRoot = StateSelector(\Root.inner) { inner in number(inner) }
    let store = Store(reducer: lift(lift(setNumber, to: \Slices.number), to: \Root.inner), state: Root())
    #expect(ofRoot(store.state) == 0)
    store.dispatch(Set())
    #expect(ofRoot(store.state) == 10)
  }

  @Test("a selector keeps the value of a slice that the state does not contain, until it changes", .holds(10))
  func initialValueIsKept() {
    let features = Features(at: \Open.features)
    let store = Store(
      reducer: lift(setText, to: \Open.text), plugins: [features.plugin], state: Open())
    let value = StateSelector({ (open: Open) in open.features[number].value }) { value in value * 10 }
    #expect(value(store.state) == 0)
    store.dispatch(Set())
    #expect(value(store.state) == 0)
    #expect(value.recomputations == 1)
    features.attach(number)
    store.dispatch(Set())
    #expect(value(store.state) == 10)
    #expect(value.recomputations == 2)
  }

  @Test("selectors of two combinations share no computed values, even for equal inputs", .holds(11))
  func separate() {
    let (first, second) = (
      StateSelector(\Slices.text) { text in text + "first" },
      StateSelector(\Slices.text) { text in text + "second" }
    )
    let stores = [setText, setText].map { Store(reducer: lift($0, to: \Slices.text), state: Slices()) }
    #expect(first(stores[0].state) == "first")
    #expect(second(stores[1].state) == "second")
    #expect((first.recomputations, second.recomputations) == (1, 1))
  }

  static let meaningless = [
    MeaninglessCase(
      7, "a selector can return the original state for logs",
      because: """
        A selector of Flux always receives the state itself, because the state never lacks a slice, and \
        needs no proxy.
        """),
    MeaninglessCase(
      8, "requesting the original state of a value that is not a proxy is an error",
      because: "Flux has no such proxies."),
  ]
}
