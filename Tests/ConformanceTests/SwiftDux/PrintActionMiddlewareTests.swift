import FluxCore
import FluxMiddleware
import TestSupport
import Testing

@Suite(
  "SwiftDux: PrintActionMiddleware",
  .cases(
    of: "StevenLambion/SwiftDux", "Tests/SwiftDuxTests/SwiftDuxExtras/PrintActionMiddlewareTests.swift",
    at: "99cb24da", count: 1))
struct PrintActionMiddlewareTests {
  private enum Step: Action {
    case a
    case b
  }

  @Test(
    "each action is printed when it passes, and nothing else is printed",
    .differs(
      1,
      because: """
        A new store of SwiftDux dispatches a private action. A new store of Flux dispatches no action.
        """))
  func printing() {
    let printed = Recorder<String>()
    let store = partsStore(printActionMiddleware(printer: printed.record))
    #expect(printed.values.isEmpty)
    for step in [Step.b, .a] { store.dispatch(step) }
    #expect(printed.values == ["b", "a"])
  }
}
