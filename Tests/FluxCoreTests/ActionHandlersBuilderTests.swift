import FluxCore
import Testing

@Suite struct ActionHandlersBuilderTests {
  private func reduced(_ handlers: ActionHandlers<Counter>, _ action: any Action) -> Counter {
    var state = Counter()
    handlers(&state, action)
    return state
  }

  @Test("the handlers of a closure are found by type, in both forms, and those of one type run in order")
  func block() {
    let handlers = ActionHandlers<Counter> {
      on(Increment.self) { state, action in state.log.append(action.amount) }
      onReturning(Increment.self) { state, action in Counter(count: state.count, log: state.log + [0]) }
      on(Rename.self) { state, action in state.name = action.name }
    }
    #expect(reduced(handlers, Increment(amount: 3)).log == [3, 0])
    #expect(reduced(handlers, Rename(name: "a")).name == "a")
    #expect(reduced(handlers, Nothing()) == Counter())
  }

  @Test("handlers of other closures, and of parts, can be listed among them")
  func nested() {
    let parts: ActionHandlers<Int> = on(Increment.self) { count, action in count += action.amount }
    let inner = ActionHandlers<Counter> { lift(parts, to: \.count) }
    let handlers = ActionHandlers<Counter> {
      inner
      combine(inner, inner)
    }
    #expect(reduced(handlers, Increment(amount: 2)).count == 6)
  }

  @Test("conditions and loops select the handlers of a closure", arguments: [true, false])
  func chosen(isCounting: Bool) {
    let handlers = ActionHandlers<Counter> {
      if isCounting { on(Increment.self) { state, _ in state.count += 1 } }
      if isCounting {
        on(Rename.self) { state, _ in state.name = "counting" }
      } else {
        on(Rename.self) { state, _ in state.name = "not counting" }
      }
      for number in 1...3 {
        on(Increment.self) { state, _ in state.log.append(number) }
      }
    }
    #expect(handlers.handles(Increment.self))
    #expect(reduced(handlers, Increment()).count == (isCounting ? 1 : 0))
    #expect(reduced(handlers, Rename(name: "")).name == (isCounting ? "counting" : "not counting"))
    #expect(reduced(handlers, Increment()).log == [1, 2, 3])
  }

  @Test("an empty closure handles nothing")
  func empty() {
    #expect(!ActionHandlers<Counter> {}.handles(Increment.self))
  }
}
