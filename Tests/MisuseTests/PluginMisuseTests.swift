import FluxCore
import FluxMiddleware
import Synchronization
import TestSupport
import Testing

@Suite("Misuse of plug-ins and middleware stops the program with a message")
struct PluginMisuseTests {
  private struct Whole: FluxState {
    var part = 0
  }

  private struct Touch: Action {}

  @Test("a thunk in a store without a thunk middleware")
  func thunkWithoutMiddleware() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let store = Store<Whole>(reducer: { (_: inout Whole, _) in }, state: Whole())
      store.dispatch(Thunk<Whole>(file: "App/Thunks.swift", line: 7) { _, _ in })
    }
    expect(
      result, says: "Thunk(App/Thunks.swift:7) was dispatched, but the store",
      "the store has no thunk middleware for Whole", "Add thunkMiddleware()")
  }

  @Test("a thunk whose dependencies the middleware does not have")
  func thunkWithoutDependencies() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let store = Store<Whole>(
        reducer: { (_: inout Whole, _) in }, middleware: [thunkMiddleware(with: "a text")], state: Whole())
      store.dispatch(Thunk<Whole>(with: Int.self, file: "App/Thunks.swift", line: 7) { _, _, _ in })
    }
    expect(
      result, says: "Thunk(App/Thunks.swift:7) requires a value of type Int",
      "the store's thunk middleware was created with a value of type String",
      "Pass a value of the required type to thunkMiddleware(with:), or register it in the services of the store."
    )
  }

  @Test("a history that is given to a second store")
  func historyOfSecondStore() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let history = History<Whole>(named: "drawing")
      for _ in 1...2 {
        _ = Store<Whole>(reducer: { (_: inout Whole, _) in }, plugins: [history.plugin], state: Whole())
      }
    }
    expect(result, says: "the history drawing was added to a second store", "Create a history for each store")
  }

  @Test("a lifted plug-in that runs its reducer after the wrapper has returned")
  func reducingLate() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let kept = Mutex<MutatingReducer<Int>?>(nil)
      let keeping = Plugin<Int>(wrapReducer: { reducer in
        kept.withLock { $0 = reducer }
        return reducer
      })
      let store = Store<Whole>(
        reducer: { (_: inout Whole, _) in }, plugins: [lift(keeping, to: \.part)], state: Whole())
      store.dispatch(Touch())
      var part = 0
      kept.withLock { $0 }?(&part, Touch())
    }
    expect(
      result,
      says: "a plug-in called its wrapped reducer with Touch() after the wrapping reducer had returned.")
  }
}
