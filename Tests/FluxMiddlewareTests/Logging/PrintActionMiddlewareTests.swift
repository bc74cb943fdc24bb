import FluxCore
import FluxMiddleware
import TestSupport
import Testing

@Suite("The middleware that prints actions")
struct PrintActionMiddlewareTests {
  private struct Counter: FluxState {
    var count = 0
  }

  private struct Add: Action {
    let amount: Int
  }

  private struct Say: Action, CustomStringConvertible {
    let description: String
  }

  private func store(_ middleware: @escaping Middleware<Counter>) -> Store<Counter> {
    Store(
      reducer: { (state: inout Counter, action: any Action) in
        if let action = action as? Add { state.count += action.amount }
      }, middleware: [middleware], state: Counter())
  }

  @Test("each action is printed, in order, and passed on to the reducer")
  func prints() {
    let lines = Recorder<String>()
    let store = store(printActionMiddleware(printer: { lines.record($0) }))
    store.dispatch(Add(amount: 1))
    store.dispatch(Add(amount: 2))
    #expect(lines.values == ["Add(amount: 1)", "Add(amount: 2)"])
    #expect(store.state.count == 3)
  }

  @Test("an action is printed before it is passed on, and therefore before the actions that it causes")
  func before() {
    let lines = Recorder<String>()
    let store = store(printActionMiddleware(printer: { lines.record($0) }))
    let token = store.subscribe(to: \.count, initial: false) { [weak store] count in
      lines.record("count \(count)")
      if count == 1 { store?.dispatch(Add(amount: 1)) }
    }
    store.dispatch(Add(amount: 1))
    #expect(lines.values == ["Add(amount: 1)", "count 1", "Add(amount: 1)", "count 2"])
    token.cancel()
  }

  @Test("the prepare action is printed, before any other if it is sent first")
  func prepare() {
    let lines = Recorder<String>()
    let store = store(printActionMiddleware(printer: { lines.record($0) }))
    store.prepare()
    store.dispatch(Add(amount: 1))
    #expect(lines.values == ["StoreAction.prepare", "Add(amount: 1)"])
  }

  @Test("only actions that pass the filter are printed; all are passed on")
  func filter() {
    let lines = Recorder<String>()
    let store = store(printActionMiddleware(printer: { lines.record($0) }, filter: .except(Add.self)))
    store.dispatch(Add(amount: 1))
    store.dispatch(Say(description: "said"))
    #expect(lines.values == ["said"])
    #expect(store.state.count == 1)
  }

  @Test("a closure can be a filter")
  func closure() {
    let lines = Recorder<String>()
    let store = store(
      printActionMiddleware(printer: { lines.record($0) }, filter: { ($0 as? Add)?.amount != 1 }))
    store.dispatch(Add(amount: 1))
    store.dispatch(Add(amount: 2))
    #expect(lines.values == ["Add(amount: 2)"])
    #expect(store.state.count == 3)
  }

  @Test("a secret in an action is not printed")
  func secret() {
    let lines = Recorder<String>()
    let (printer, secrets) = ({ @Sendable in lines.record($0) }, Redaction.fields("amount"))
    store(printActionMiddleware(printer: printer, redacting: secrets)).dispatch(Add(amount: 7))
    store(printActionMiddleware(printer: printer, redacting: secrets, filter: { $0 is Add }))
      .dispatch(Add(amount: 7))
    #expect(lines.values == ["Add(amount: •••)", "Add(amount: •••)"])
  }

  @Test("an action is printed on a single line, whatever its description contains")
  func oneLine() {
    let lines = Recorder<String>()
    store(printActionMiddleware(printer: { lines.record($0) })).dispatch(Say(description: "a\nb"))
    #expect(lines.values == ["a\\nb"])
  }
}
