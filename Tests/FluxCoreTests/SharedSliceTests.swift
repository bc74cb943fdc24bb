import FluxCore
import TestSupport
import Testing

@Suite("Shared slices")
struct SharedSliceTests {
  private protocol Screen: Sendable { var name: String { get } }
  private struct Login: Screen { var name = "login" }
  private struct Home: Screen { var name = "home" }

  private struct Theme: Equatable {
    var name = "light"
    var size = 12
  }

  private struct App: FluxState {
    var theme = Theme()
    var count = 0
    var screen: any Screen = Login()
  }

  private struct Change: Action {
    let change: @Sendable (inout App) -> Void
    init(_ change: @escaping @Sendable (inout App) -> Void) { self.change = change }
  }

  private let heard = Recorder<String>()

  private func makeStore() -> Store<App> {
    Store(reducer: on(Change.self) { app, action in action.change(&app) }, state: App())
  }

  @Test("an observer of a shared slice, or of a slice of it, is called for its changes only")
  func changes() {
    let store = makeStore()
    let theme = store.sharedSlice(of: \.theme)
    let tokens = [
      theme.subscribe { [heard] in heard.record("all \($0.name) \($0.size)") },
      theme.subscribe(to: \.name) { [heard] in heard.record("name \($0)") },
      theme.subscribe(to: \.size, initial: false) { [heard] in heard.record("size \($0)") },
    ]
    store.dispatch(Change { $0.count += 1 })
    store.dispatch(Change { $0.theme.size = 13 })
    store.dispatch(Change { $0.theme.name = "light" })
    store.dispatch(Change { $0.theme.name = "dark" })
    #expect(
      heard.values == [
        "all light 12", "name light", "all light 13", "size 13", "all dark 13", "name dark",
      ])
    withExtendedLifetime(tokens) {}
  }

  @Test("while a shared slice is unchanged, none of its observers is compared")
  func skipped() {
    let store = makeStore()
    let theme = store.sharedSlice(of: \.theme)
    let asked = Recorder<Int>()
    let tokens = (1...100).map { number in
      theme.subscribe(
        to: { theme in
          asked.record(number)
          return theme.size
        }, initial: false
      ) { _ in }
    }
    let before = asked.values.count
    store.dispatch(Change { $0.count += 1 })
    #expect(asked.values.count == before)
    store.dispatch(Change { $0.theme.name = "dark" })
    #expect(asked.values.count == before + 100)
    withExtendedLifetime(tokens) {}
  }

  @Test("a comparison may decide whether a shared slice has changed")
  func comparison() {
    let store = makeStore()
    let theme = store.proxy.sharedSlice(of: \.theme, by: { $0.name == $1.name })
    let token = theme.subscribe(initial: false) { [heard] in heard.record("\($0.name) \($0.size)") }
    store.dispatch(Change { $0.theme.size = 13 })
    store.dispatch(Change { $0.theme.name = "dark" })
    #expect(heard.values == ["dark 13"])
    withExtendedLifetime(token) {}
  }

  @Test(
    "an observer that subscribes in a batch starts with the delivered state, and gets the newer one later")
  func batch() {
    let store = makeStore()
    let theme = store.sharedSlice(of: \.theme.name)
    let token = store.batch {
      store.dispatch(Change { $0.theme.name = "dark" })
      return theme.subscribe { [heard] in heard.record($0) }
    }
    #expect(heard.values == ["light", "dark"])
    withExtendedLifetime(token) {}
  }

  @Test("an observer may dispatch, and is called with the newest state after it returns")
  func nested() {
    let store = makeStore()
    let theme = store.sharedSlice(of: \.theme.size)
    let token = theme.subscribe { [heard] size in
      heard.record("\(size)")
      if size < 15 { store.dispatch(Change { $0.theme.size += 1 }) }
      heard.record("end of \(size)")
    }
    #expect(store.state.theme.size == 15)
    #expect(heard.values.filter { !$0.hasPrefix("end") } == ["12", "13", "14", "15"])
    #expect(heard.values.count == 8)
    token.cancel()
    store.dispatch(Change { $0.theme.size = 0 })
    #expect(heard.values.count == 8)
  }

  @Test("a shared slice on the main actor is delivered together with the store's own observers")
  @MainActor
  func main() {
    let store = makeStore()
    let theme = store.sharedSlice(of: \.theme)
    var heard: [String] = []
    let tokens = [
      theme.subscribe(to: \.name, onMain: { heard.append($0) }),
      theme.subscribe(to: \.size, initial: false, onMain: { heard.append("\($0)") }),
    ]
    store.dispatch(Change { $0.theme = Theme(name: "dark", size: 13) })
    #expect(heard == ["light"])
    store.deliverOnMain()
    #expect(heard == ["light", "dark", "13"])
    withExtendedLifetime(tokens) {}
  }

  @Test("a shared slice does not keep the store alive, and its subscriptions end with the store")
  func end() {
    let tracker = LifetimeTracker()
    var store: Store<App>? = makeStore()
    let gone = WeakReference(store)
    let theme = store?.sharedSlice(of: \.theme)
    let token = theme?.subscribe { [tracked = tracker.make()] _ in tracked.touch() }
    store = nil
    #expect(gone.object == nil)
    #expect(tracker.alive == 0)
    withExtendedLifetime((theme, token)) {}
  }

  @Test("a shared slice lives as long as one of its tokens")
  func lifetime() {
    let store = makeStore()
    let tracker = LifetimeTracker()
    do {
      let token: SubscriptionToken
      do {
        let theme = store.sharedSlice(of: \.theme.name)
        let tracked = tracker.make()
        token = theme.subscribe { [heard] name in
          tracked.touch()
          heard.record(name)
        }
      }
      store.dispatch(Change { $0.theme.name = "dark" })
      #expect(heard.values == ["light", "dark"])
      #expect(tracker.alive == 1)
      token.cancel()
    }
    #expect(tracker.alive == 0)
  }

  @Test("an owner's subscription lasts while the slice is kept")
  func owner() {
    final class Owner: Sendable {}
    let store = makeStore()
    let theme = store.sharedSlice(of: \.theme.name)
    let owner = Owner()
    theme.subscribe(owner: owner, to: { $0 }) { [heard] _, name in heard.record(name) }
    store.dispatch(Change { $0.theme.name = "dark" })
    #expect(heard.values == ["light", "dark"])
    withExtendedLifetime(owner) {}
  }

  @Test("a subscription to a shared slice of a released store ends immediately")
  func gone() {
    var store: Store<App>? = makeStore()
    let proxy = store?.proxy
    store = nil
    let theme = proxy?.sharedSlice(of: \.theme)
    let token = theme?.subscribe { [heard] _ in heard.record("called") }
    #expect(heard.values == [])
    withExtendedLifetime(token) {}
  }

  @Test("observers receive increasing versions and the last one, whichever threads dispatch and subscribe")
  func threads() {
    let store = makeStore()
    let count = store.sharedSlice(of: \.count)
    let lists = (0..<4).map { _ in Recorder<Int>() }
    let tokens = Shared<[SubscriptionToken]>([])
    let workers = (0..<4).map { number in
      Worker {
        for turn in 0..<200 {
          if turn == 100 {
            let token = count.subscribe { lists[number].record($0) }
            tokens.change { $0.append(token) }
          }
          store.dispatch(Change { $0.count += 1 })
        }
      }
    }
    for worker in workers { worker.join() }
    for list in lists {
      #expect(list.values == list.values.sorted())
      #expect(list.values.last == 800)
    }
    withExtendedLifetime(tokens) {}
  }

  @Test("when an observer of a shared slice releases the store, no later observer of the slice is called")
  func sharedEnd() {
    let kept = Shared<Store<App>?>(makeStore())
    let proxy = kept.value!.proxy
    let size = proxy.sharedSlice(of: \.theme.size)
    let tokens = [
      size.subscribe(initial: false) { [heard] _ in
        heard.record("first")
        kept.exchange(nil)
      },
      size.subscribe(initial: false) { [heard] _ in heard.record("second") },
    ]
    proxy.dispatch(Change { $0.theme.size += 1 })
    #expect(heard.values == ["first"])
    withExtendedLifetime(tokens) {}
  }

  @Test("on the main actor: when an observer of a shared slice releases the store, no later one is called")
  @MainActor
  func sharedEndOnMain() {
    let kept = Shared<Store<App>?>(makeStore())
    let proxy = kept.value!.proxy
    let size = proxy.sharedSlice(of: \.theme.size)
    var heard: [String] = []
    let tokens = [
      size.subscribe(
        initial: false,
        onMain: { _ in
          heard.append("first")
          kept.exchange(nil)
        }),
      size.subscribe(initial: false, onMain: { _ in heard.append("second") }),
    ]
    proxy.dispatch(Change { $0.theme.size += 1 })
    _ = proxy.context.deliverOnMain()
    #expect(heard == ["first"])
    withExtendedLifetime(tokens) {}
  }

  @Test("a shared slice of a part that does not exist yet receives the part when it is created")
  func partComes() throws {
    let store = makeStore()
    let part = try #require(store.proxy(for: { $0.screen }).proxy(as: Login.self))
    store.dispatch(Change { $0.screen = Home() })
    let plain = part.subscribe(to: \.name) { [heard] in heard.record("plain \($0)") }
    let shared = part.sharedSlice(of: \.name)
    let token = shared.subscribe { [heard] in heard.record("shared \($0)") }
    store.dispatch(Change { $0.screen = Login() })
    #expect(heard.values.contains("plain login"))
    let late = shared.subscribe { [heard] in heard.record("late \($0)") }
    #expect(heard.values.contains("shared login"))
    #expect(heard.values.contains("late login"))
    withExtendedLifetime((plain, token, late)) {}
  }
}
