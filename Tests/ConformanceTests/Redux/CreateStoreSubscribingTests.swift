import FluxCore
import TestSupport
import Testing

extension CreateStoreTests {
  @Test(
    "several observers subscribe and cancel, and each is called once for each action while it is subscribed",
    .holds(7))
  func severalListeners() {
    let store = todoStore()
    let (a, b) = (Listener(), Listener())
    let first = a.listen(to: store)
    store.dispatch(Unknown())
    store.dispatch(Unknown())
    #expect((a.calls, b.calls) == (2, 0))
    let second = b.listen(to: store)
    #expect((a.calls, b.calls) == (2, 0))
    store.dispatch(Unknown())
    #expect((a.calls, b.calls) == (3, 1))
    first.cancel()
    store.dispatch(Unknown())
    #expect((a.calls, b.calls) == (3, 2))
    second.cancel()
    store.dispatch(Unknown())
    #expect((a.calls, b.calls) == (3, 2))
    let third = a.listen(to: store)
    store.dispatch(Unknown())
    #expect((a.calls, b.calls) == (4, 2))
    third.cancel()
  }

  @Test("a second cancellation of a token cancels no other observer", .holds(8))
  func cancelTwice() {
    let store = todoStore()
    let (a, b) = (Listener(), Listener())
    let tokens = [a, b].map { $0.listen(to: store) }
    tokens[0].cancel()
    tokens[0].cancel()
    store.dispatch(Unknown())
    #expect((a.calls, b.calls) == (0, 1))
    tokens[1].cancel()
  }

  @Test("canceling one of two subscriptions of the same closure cancels only that subscription", .holds(9))
  func sameClosureTwice() {
    let store = todoStore()
    let listener = Listener()
    let tokens = [listener, listener].map { $0.listen(to: store) }
    tokens[1].cancel()
    tokens[1].cancel()
    store.dispatch(Unknown())
    #expect(listener.calls == 1)
    tokens[0].cancel()
  }

  @Test("an observer may cancel its own subscription, and the other observers are still called", .holds(10))
  func cancelItself() {
    let store = todoStore()
    let (a, b, c) = (Listener(), Listener(), Listener())
    let own = Shared<SubscriptionToken?>(nil)
    let first = a.listen(to: store)
    own.value = store.subscribe(initial: false) { (_: Todos) in
      b.call()
      own.value?.cancel()
    }
    let last = c.listen(to: store)
    store.dispatch(Unknown())
    store.dispatch(Unknown())
    #expect((a.calls, b.calls, c.calls) == (2, 1, 2))
    for token in [first, last] { token.cancel() }
  }

  @Test(
    "an observer that another observer cancels is not called anymore, even for an earlier action",
    .differs(
      11,
      because: """
        Redux calls all observers that were subscribed when the action was dispatched. Flux never calls \
        an observer after `cancel()` has returned, because objects that the observer uses might have been \
        released.
        """))
  func cancelAll() {
    let store = todoStore()
    let (a, b, c) = (Listener(), Listener(), Listener())
    let tokens = Shared<[SubscriptionToken]>([])
    tokens.value = [
      a.listen(to: store),
      store.subscribe(initial: false) { (_: Todos) in
        b.call()
        for token in tokens.value { token.cancel() }
      },
      c.listen(to: store),
    ]
    store.dispatch(Unknown())
    #expect((a.calls, b.calls, c.calls) == (1, 1, 0))
    store.dispatch(Unknown())
    #expect((a.calls, b.calls, c.calls) == (1, 1, 0))
  }

  @Test("an observer that is added during a pass is first called for the next action", .holds(12))
  func addedMeanwhile() {
    let store = todoStore()
    let (a, b, c) = (Listener(), Listener(), Listener())
    let added = Shared<SubscriptionToken?>(nil)
    let tokens = [
      a.listen(to: store),
      store.subscribe(initial: false) { (_: Todos) in
        b.call()
        if added.value == nil { added.value = c.listen(to: store) }
      },
    ]
    store.dispatch(Unknown())
    #expect((a.calls, b.calls, c.calls) == (1, 1, 0))
    store.dispatch(Unknown())
    #expect((a.calls, b.calls, c.calls) == (2, 2, 1))
    for token in tokens + [added.value] { token?.cancel() }
  }

  @Test(
    "an action that an observer dispatches is reduced immediately, and delivered after the earlier action",
    .differs(
      13,
      because: """
        Redux notifies all observers of the inner action before the outer dispatch continues. Flux \
        notifies them in a second pass, so that nested dispatches do not need more stack, and each \
        observer receives the states in the order of the actions.
        """))
  func nestedDispatch() {
    let store = todoStore()
    let heard = Recorder<String>()
    @Sendable func noting(_ name: String) -> SubscriptionToken {
      store.subscribe(initial: false) { (todos: Todos) in heard.record("\(name) \(todos.all.count)") }
    }
    let tokens = Shared<[SubscriptionToken]>([])
    let added = Shared<SubscriptionToken?>(nil)
    tokens.value = [
      store.subscribe(initial: false) { (todos: Todos) in
        heard.record("a \(todos.all.count)")
        tokens.value.first?.cancel()
        added.value = noting("d")
        store.dispatch(AddTodo(text: "inner"))
        heard.record("a sees \(store.state.all.count)")
      },
      noting("b"), noting("c"),
    ]
    store.dispatch(AddTodo(text: "outer"))
    #expect(heard.takeAll() == ["a 1", "a sees 2", "b 1", "c 1", "b 2", "c 2", "d 2"])
    added.value?.cancel()
    store.dispatch(Unknown())
    #expect(heard.values == ["b 2", "c 2"])
    for token in tokens.value { token.cancel() }
  }

  @Test("when an observer is called, the store contains the state that the action made", .holds(14))
  func upToDate() {
    let store = todoStore()
    let seen = Recorder<[String]>()
    let token = store.subscribe(initial: false) { (_: Todos) in seen.record(store.state.texts) }
    store.dispatch(AddTodo(text: "a"))
    #expect(seen.values == [["a"]])
    token.cancel()
  }

  @Test("an observer may dispatch until the state has the value that it requires", .holds(17))
  func nestedUntil() {
    let store = todoStore()
    let heard = Recorder<Int>()
    let token = store.subscribe(initial: false) { (todos: Todos) in
      heard.record(todos.all.count)
      if todos.all.count < 4 { store.dispatch(AddTodo(text: "b")) }
    }
    store.dispatch(AddTodo(text: "a"))
    #expect(store.state.texts == ["a", "b", "b", "b"])
    #expect(heard.values == [1, 2, 3, 4])
    token.cancel()
  }
}
