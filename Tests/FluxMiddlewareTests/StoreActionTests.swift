import FluxCore
import FluxMiddleware
import TestSupport
import Testing

@Suite("Actions for the store as a whole")
struct StoreActionTests {
  @Test("a reset replaces the state, as one action among others")
  func reset() {
    let store = makeStore(plugins: [.storeActions])
    store.dispatch(Add(amount: 3))
    store.reset(to: Tally(sum: 100))
    store.dispatch(Add(amount: 1))
    #expect(store.state == Tally(sum: 101))
  }

  @Test("the store's reducer receives a reset, too, with the new state")
  func reducerSeesReset() {
    let reducer: MutatingReducer<Tally> = { tally, action in
      if case .reset = action as? StoreAction<Tally> { tally.log.append("reset to \(tally.sum)") }
    }
    let store = Store(reducer: reducer, plugins: [.storeActions], state: Tally())
    store.dispatch(StoreAction.reset(state: Tally(sum: 8)))
    #expect(store.state == Tally(sum: 8, log: ["reset to 8"]))
  }

  @Test("observers and plug-ins receive a reset like any action")
  func heard() {
    let heard = Recorder<String>()
    let audit = Plugin<Tally>(
      onTransition: .states { heard.record("\($0.action) \($0.before.sum) \($0.after.sum)") })
    let store = makeStore(plugins: [audit, .storeActions], state: Tally(sum: 1))
    let token = store.subscribe(to: \.sum) { sum in heard.record("\(sum)") }
    store.reset(to: Tally(sum: 2))
    #expect(heard.values == ["1", "StoreAction.reset 1 2", "2"])
    token.cancel()
  }

  @Test("the prepare action is sent only on request")
  func prepare() {
    let heard = Recorder<String>()
    let store = makeStore(noting("m", in: heard), plugins: [.storeActions])
    #expect(heard.values.isEmpty)
    store.prepare()
    #expect(heard.values == ["m StoreAction<Tally>", "m back"])
    #expect(store.state == Tally())
  }

  @Test("a store without the plug-in keeps its state")
  func withoutPlugin() {
    let store = makeStore(state: Tally(sum: 1))
    store.reset(to: Tally(sum: 2))
    #expect(store.state == Tally(sum: 1))
  }

  @Test("an empty action passes through the chain and changes nothing")
  func empty() {
    let heard = Recorder<String>()
    let store = makeStore(noting("m", in: heard), state: Tally(sum: 1))
    store.dispatch(EmptyAction())
    #expect(heard.values == ["m EmptyAction", "m back"])
    #expect(store.state == Tally(sum: 1))
  }
}
