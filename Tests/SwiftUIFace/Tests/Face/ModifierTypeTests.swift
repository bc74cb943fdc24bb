import FluxCore
import FluxUI
import SwiftUI
import TestSupport
import Testing

@MainActor
@Suite("Modifiers by their types") struct ModifierTypeTests {
  /// A view that names the types of its modifiers, as a user's view may.
  private struct Watched: View {
    let store: Store<Notebook>
    let bodies: Bodies
    let change: OnActionViewModifier.ActionModifier

    var body:
      ModifiedContent<
        ModifiedContent<
          ModifiedContent<CountView, OnAppearDispatchActionViewModifier>, OnActionViewModifier
        >, StoreProviderViewModifier<Store<Notebook>>
      >
    {
      CountView(bodies: bodies)
        .modifier(OnAppearDispatchActionViewModifier(action: Increment(), cancelOnDisappear: false))
        .modifier(OnActionViewModifier(perform: change))
        .modifier(StoreProviderViewModifier(store: store))
    }
  }

  @Test("a view may use the types of the modifiers for stores, actions, and appearance")
  func types() {
    let store = makeStore(state: Notebook(count: 1))
    let screen = Screen {
      Watched(store: store, bodies: Bodies()) { action in action is Increment ? Increment(amount: 4) : action
      }
    }
    #expect(screen.text == ["5"])
  }

  @Test("a closure that receives actions runs on the main actor, and changes a state of its view")
  func onActionAndState() {
    struct Log: View {
      @State private var last = "none"
      let bodies: Bodies

      var body: some View {
        Text("last: \(last)")
        TitleView(bodies: bodies)
        SetterView()
          .onAction { action in
            last = "\(action)"
            return action
          }
      }
    }
    struct SetterView: View {
      @MappedDispatch() private var dispatch

      var body: some View { Button("set") { dispatch(SetTitle(title: "a")) } }
    }
    let store = makeStore()
    let screen = Screen { Log(bodies: Bodies()).provideStore(store) }
    screen.press("set")
    #expect(screen.text == [#"last: SetTitle(title: "a")"#, "a", "clear", "set"])
  }

  @Test("an action dispatched by a function on another thread passes through the closure on the main actor")
  func onActionOfOtherThreads() async {
    struct Caller: ConnectedView {
      let call: @MainActor (@escaping DispatchFunction) -> Void

      func map(state: Notebook, dispatch: @escaping DispatchFunction) -> Int {
        call(dispatch)
        return state.count
      }

      func body(props: Int) -> some View { Text("\(props)") }
    }
    let store = makeStore()
    let amounts = EventLog<Int>()
    var function: DispatchFunction?
    let screen = Screen {
      Caller { function = $0 }
        .onAction { action in
          MainActor.preconditionIsolated()
          amounts.record((action as? Increment)?.amount ?? 0)
          return Increment(amount: 10)
        }
        .provideStore(store)
    }
    onAnotherThread { [function] in for amount in 1...3 { function?(Increment(amount: amount)) } }
    #expect(amounts.values == [])
    await amounts.count(atLeast: 3)
    #expect(amounts.values == [1, 2, 3])
    ActionDispatcher(store)(Nothing())
    screen.update()
    #expect(screen.text == ["30"])
  }
}
