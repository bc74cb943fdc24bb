import FluxCore
import TestSupport
import Testing

private class Base: Action, @unchecked Sendable {
  init() {}
}

private final class Derived: Base, @unchecked Sendable {}

private struct Boxed<Value: Sendable>: Action {
  var value: Value
}

private enum Step: Action {
  case up, down
}

private struct App: FluxState, Equatable {
  var counter = Counter()
  var other = Counter()
}

@Suite struct HandlerTests {
  @Test("a handler that changes in place is run for actions of its type only")
  func inPlace() {
    let handlers: ActionHandlers<Counter> = on(Increment.self) { state, action in state.count += action.amount
    }
    expect(handlers, Increment(amount: 3), gives: Counter(count: 3))
    expect(handlers, Nothing(), gives: Counter())
  }

  @Test("a handler that returns the next state is run for actions of its type only")
  func returning() {
    let handlers: ActionHandlers<Counter> = onReturning(Increment.self) { state, action in
      Counter(count: state.count + action.amount)
    }
    expect(handlers, Increment(amount: 3), gives: Counter(count: 3))
    expect(handlers, Nothing(), gives: Counter())
  }

  @Test("functions serve as handlers in both forms")
  func functions() {
    @Sendable func add(_ state: inout Counter, _ action: Increment) { state.count += action.amount }
    @Sendable func name(_ state: Counter, _ action: Rename) -> Counter {
      Counter(count: state.count, name: action.name)
    }
    let handlers = combine(on(Increment.self, add), onReturning(Rename.self, name))
    expect(handlers, Increment(), gives: Counter(count: 1))
    expect(handlers, Rename(name: "a"), gives: Counter(name: "a"))
  }

  @Test("a table lists the types that it handles")
  func handles() {
    let handlers: ActionHandlers<Counter> = combine(
      on(Increment.self) { state, _ in state.count += 1 },
      on(Rename.self) { state, action in state.name = action.name })
    #expect(handlers.handles(Increment.self))
    #expect(handlers.handles(Rename.self))
    #expect(!handlers.handles(Nothing.self))
  }

  @Test("handlers of one type run in the order of their combination, however the tables were merged")
  func mergingOrder() {
    let one = appending(1)
    let two = appending(2)
    let three = appending(3)
    let unrelated: ActionHandlers<Counter> = on(Rename.self) { state, action in state.name = action.name }
    for handlers in [
      combine(one, two, three), combine(combine(one, two), three), combine(one, combine(two, three)),
      combine(one, unrelated, two, unrelated, three), combine(combine(), one, combine(two, unrelated), three),
    ] {
      expect(handlers, Nothing(), gives: Counter(log: [1, 2, 3]))
    }
  }

  @Test("a table can be merged with itself, and then runs its handlers twice")
  func mergedWithItself() {
    expect(combine(appending(1), appending(1)), Nothing(), gives: Counter(log: [1, 1]))
  }

  @Test("merging leaves the merged tables unchanged")
  func mergingIsPure() {
    let one = appending(1)
    _ = combine(one, appending(2))
    expect(one, Nothing(), gives: Counter(log: [1]))
  }

  @Test("an empty table handles nothing")
  func empty() {
    let handlers: ActionHandlers<Counter> = combine()
    #expect(!handlers.handles(Increment.self))
    expect(handlers, Increment(), gives: Counter())
  }

  @Test(
    "matching uses the exact dynamic type: a class action held as its base class finds its own handler")
  func classActions() {
    let handlers: ActionHandlers<Counter> = combine(
      on(Base.self) { state, _ in state.name += "base" },
      on(Derived.self) { state, _ in state.name += "derived" })
    let heldAsBase: Base = Derived()
    expect(handlers, heldAsBase, gives: Counter(name: "derived"))
    expect(handlers, Base(), gives: Counter(name: "base"))
  }

  @Test("a handler of a base class is not run for a derived action")
  func baseOnly() {
    let handlers: ActionHandlers<Counter> = on(Base.self) { state, _ in state.count += 1 }
    expect(handlers, Derived(), gives: Counter())
    #expect(!handlers.handles(Derived.self))
  }

  @Test(
    "a handler made from a metatype value handles that exact type, even if the value is held as a base class")
  func typeHeldAsBase() {
    let type: Base.Type = Derived.self
    let handlers: ActionHandlers<Counter> = on(type) { state, _ in state.count += 1 }
    #expect(handlers.handles(Derived.self))
    #expect(!handlers.handles(Base.self))
    expect(handlers, Derived(), gives: Counter(count: 1))
    expect(handlers, Base(), gives: Counter())
  }

  @Test("a class action reaches its handler as the same object")
  func identity() {
    let seen = Recorder<ObjectIdentifier>()
    let handlers: ActionHandlers<Counter> = on(Derived.self) { _, action in
      seen.record(ObjectIdentifier(action))
    }
    let action: Base = Derived()
    Store(reducer: handlers, state: Counter()).dispatch(action)
    #expect(seen.values == [ObjectIdentifier(action)])
  }

  @Test("generic actions are distinguished by their type arguments")
  func generic() {
    let handlers: ActionHandlers<Counter> = combine(
      on(Boxed<Int>.self) { state, action in state.count = action.value },
      on(Boxed<String>.self) { state, action in state.name = action.value })
    expect(handlers, Boxed(value: 7), gives: Counter(count: 7))
    expect(handlers, Boxed(value: "a"), gives: Counter(name: "a"))
    expect(handlers, Boxed(value: 1.5), gives: Counter())
  }

  @Test("an action too large for an existential's inline buffer reaches its handler whole")
  func large() {
    let handlers: ActionHandlers<Counter> = on(Boxed<[4 of Int]>.self) { state, action in
      for index in action.value.indices { state.log.append(action.value[index]) }
    }
    expect(handlers, Boxed<[4 of Int]>(value: [1, 2, 3, 4]), gives: Counter(log: [1, 2, 3, 4]))
  }

  @Test("actions without fields and enumerations are handled")
  func smallActions() {
    let handlers: ActionHandlers<Counter> = combine(
      on(Nothing.self) { state, _ in state.count = 9 },
      on(Step.self) { state, action in state.count += action == .up ? 1 : -1 })
    expect(handlers, Nothing(), gives: Counter(count: 9))
    expect(handlers, Step.up, gives: Counter(count: 1))
    expect(handlers, Step.down, gives: Counter(count: -1))
  }

  @Test("a lifted table is one table, which lists its types and merges in order")
  func lifted() {
    let handlers: ActionHandlers<App> = combine(
      lift(appending(1), to: \App.counter), lift(appending(2), to: \App.other),
      lift(appending(3), to: \App.counter))
    #expect(handlers.handles(Nothing.self))
    #expect(!handlers.handles(Increment.self))
    var state = App()
    handlers(&state, Nothing())
    #expect(state == App(counter: Counter(log: [1, 3]), other: Counter(log: [2])))
  }

  @Test("a table can be lifted through many levels")
  func manyLevels() {
    struct Level<Inner: Sendable>: FluxState { var inner: Inner }
    typealias Deep = Level<Level<Level<Counter>>>
    let handlers = lift(
      lift(lift(appending(1), to: \Level<Counter>.inner), to: \Level<Level<Counter>>.inner), to: \Deep.inner)
    let store = Store(reducer: handlers, state: Deep(inner: Level(inner: Level(inner: Counter()))))
    #expect(handlers.handles(Nothing.self))
    store.dispatch(Nothing())
    #expect(store.state.inner.inner.inner.log == [1])
  }

  @Test("a table is also lifted along accessors and closures")
  func liftedAlongClosures() {
    let parts: [Substate<App, Counter>] = [
      .accessors(get: { $0.counter }, set: { $0.counter = $1 }),
      Substate { state, change in change(&state.counter) },
    ]
    for part in parts {
      var state = App()
      lift(appending(1), to: part)(&state, Nothing())
      #expect(state == App(counter: Counter(log: [1])))
    }
  }

  @Test("handlers combine with reducers, which run after them in order")
  func withReducers() {
    let last: MutatingReducer<Counter> = { state, _ in state.log.append(9) }
    let reducer: MutatingReducer<Counter> = combine(appending(1), last, last)
    var state = Counter()
    reducer(&state, Nothing())
    #expect(state.log == [1, 9, 9])
    reducer(&state, Increment())
    #expect(state.log == [1, 9, 9, 9, 9])
  }

  @Test("a store can be made from handlers")
  func inAStore() {
    let store = Store(
      reducer: combine(
        on(Increment.self) { (state: inout Counter, action) in state.count += action.amount },
        on(Rename.self) { state, action in state.name = action.name }),
      state: Counter())
    store.dispatch(Increment())
    store.dispatch(Rename(name: "a"))
    store.dispatch(Nothing())
    #expect(store.state == Counter(count: 1, name: "a"))
  }

  private func appending(_ element: Int) -> ActionHandlers<Counter> {
    on(Nothing.self) { state, _ in state.log.append(element) }
  }

  private func expect(
    _ handlers: ActionHandlers<Counter>, _ action: any Action, gives after: Counter,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    var direct = Counter()
    handlers(&direct, action)
    #expect(direct == after, sourceLocation: sourceLocation)
    var asReducer = Counter()
    handlers.reducer(&asReducer, action)
    #expect(asReducer == after, sourceLocation: sourceLocation)
    let store = Store(reducer: handlers, state: Counter())
    store.dispatch(action)
    #expect(store.state == after, sourceLocation: sourceLocation)
  }
}
