import FluxCore
import FluxMiddleware
import TestSupport
import Testing

private struct SetText: Action {
  let text: String
}

private struct SetTextAsItIs: Action {
  let text: String
}

@Suite(
  "SwiftDux: CompositeMiddleware",
  .cases(
    of: "StevenLambion/SwiftDux", "Tests/SwiftDuxTests/Middleware/CompositeMiddlwareTests.swift",
    at: "99cb24da", count: 1))
struct CompositeMiddlewareTests {
  private struct Page: FluxState {
    var text = ""
  }

  /// Changes the action that sets a value.
  private func adding(_ suffix: String) -> Middleware<Page> {
    transformActions(of: SetText.self) { _, action in SetText(text: action.text + suffix) }
  }

  @Test(
    "combined middleware change actions in their order, and pass others on unchanged",
    .differs(
      1,
      because: """
        SwiftDux combines middleware with an operator. In Flux, middleware are functions, which `combine` \
        joins into one function.
        """))
  func combined() {
    let store = Store<Page>(
      reducer: combine(
        on(SetText.self) { page, action in page.text = action.text },
        on(SetTextAsItIs.self) { page, action in page.text = action.text }),
      middleware: [combine(adding("A"), adding("B"))], state: Page())
    store.dispatch(SetTextAsItIs(text: "123"))
    #expect(store.state.text == "123")
    store.dispatch(SetText(text: "123"))
    #expect(store.state.text == "123AB")
  }
}

@Suite(
  "SwiftDux: CompositeReducer",
  .cases(
    of: "StevenLambion/SwiftDux", "Tests/SwiftDuxTests/Reducer/CompositeReducerTests.swift", at: "99cb24da",
    count: 1))
struct CompositeReducerTests {
  @Test(
    "combined reducers each handle their own actions",
    .differs(
      1,
      because: """
        SwiftDux combines reducers with an operator. In Flux, reducers can be functions, which `combine` \
        joins into one function.
        """)
  )
  func combined() {
    let reducer = combine(lift(setFoo, to: \Parts.foo), lift(setBar, to: \.bar)).reducer
    var parts = Parts()
    reducer(&parts, SetFoo())
    #expect(parts == Parts(foo: 1, bar: 0))
    reducer(&parts, SetBar())
    #expect(parts == Parts(foo: 1, bar: 2))
  }
}
