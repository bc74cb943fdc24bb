import FluxCore
import TestSupport
import Testing

/// An action that carries a custom type of work.
private struct Work: Action {
  var prepare: @Sendable (ActionContext) -> Void = { _ in }
  var work: @Sendable (ActionContext) -> Void

  func _startWork(in context: ActionContext) -> WorkStart? {
    prepare(context)
    return work
  }
}

@Suite struct WorkTests {
  @Test("an action's work is prepared before the action is reduced, and started afterwards")
  func order() {
    let heard = Recorder<String>()
    let store = Store(
      reducer: { (_: inout Counter, _: any Action) in heard.record("reduced") }, state: Counter())
    store.dispatch(
      Work { _ in
        heard.record("prepared")
      } work: { _ in
        heard.record("started")
      })
    #expect(heard.values == ["prepared", "reduced", "started"])
  }

  @Test("an action that a middleware passes on twice starts its work twice")
  func twoArrivals() {
    let twice: Middleware<Counter> = { _, _ in
      { next in
        { action in
          next(action)
          next(action)
        }
      }
    }
    let started = Shared(0)
    makeStore(middleware: [twice]).dispatch(Work { _ in _ = started.increment() })
    #expect(started.value == 2)
  }

  @Test("an action that a middleware holds starts no work")
  func heldBack() {
    let none: Middleware<Counter> = { _, _ in { _ in { _ in } } }
    let started = Shared(0)
    makeStore(middleware: [none]).dispatch(Work { _ in _ = started.increment() })
    #expect(started.value == 0)
  }

  @Test("work reads the state and dispatches through the whole chain")
  func context() {
    let passed = Recorder<String>()
    let counting: Middleware<Counter> = { _, _ in
      { next in
        { action in
          passed.record("\(type(of: action))")
          next(action)
        }
      }
    }
    let store = makeStore(middleware: [counting], state: Counter(count: 4))
    let seen = Recorder<Int?>()
    store.dispatch(
      Work { context in
        seen.record((context.state as? Counter)?.count)
        context.dispatch(Increment())
        seen.record((context.state as? Counter)?.count)
      })
    #expect(seen.values == [4, 5])
    #expect(passed.values == ["Work", "Increment"])
  }

  @Test("a context outlives its store: it has no state, dispatches nothing, and starts no effects")
  func contextAfterTheEnd() async {
    let contexts = Recorder<ActionContext>()
    var store: Store<Counter>? = makeStore()
    let released = WeakReference(store)
    store?.dispatch(Work { contexts.record($0) })
    store = nil
    #expect(released.object == nil)
    let context = contexts.values[0]
    #expect(context.state == nil)
    context.dispatch(Increment())
    let ran = Shared(false)
    context.effects.start { if !Task.isCancelled { ran.value = true } }
    await context.effects.finished()
    #expect(!ran.value)
  }

  @Test("the effects of an action are canceled when the store is released")
  func effectsEnd() async {
    let scopes = Recorder<EffectScope>()
    let cancelled = Shared(false)
    var store: Store<Counter>? = makeStore()
    store?.dispatch(
      Work { context in
        scopes.record(context.effects)
        context.effects.start {
          let (stream, _) = AsyncStream.makeStream(of: Void.self)
          for await _ in stream {}
          cancelled.value = Task.isCancelled
        }
      })
    store = nil
    await scopes.values[0].finished()
    #expect(cancelled.value)
  }
}
