import FluxCore
import FluxUI
import Testing

private struct Point: Equatable, CustomStringConvertible {
  let x: Double
  let y: Double

  var description: String { "(\(x), \(y))" }
}

private enum Color {
  case red
}

@MainActor
@Suite(
  "SwiftDux: ActionBinder",
  .cases(
    of: "StevenLambion/SwiftDux", "Tests/SwiftDuxTests/UI/ActionBinderTests.swift", at: "99cb24da", count: 9))
struct ActionBinderTests {
  private let store = personStore(state: Person(name: ""))

  private var binder: ActionBinder { ActionBinder(ActionDispatcher(store)) }

  @Test("a binder sends nothing when it is created", .holds(1))
  func first() {
    _ = binder
    #expect(store.state.name == "")
  }

  @Test("setting a bound value sends the action for it", .holds(2))
  func value() {
    let binding = binder.bind(store.state.name) { SetName(name: $0) }
    binding.wrappedValue = "new value"
    #expect(store.state.name == "new value")
  }

  @Test("a function is bound to the action that it returns", .holds(3))
  func none() {
    let function: ActionBinding<() -> Void> = binder.bind { SetName(name: "0") }
    function.wrappedValue()
    #expect(store.state.name == "0")
  }

  @Test("a function of one parameter is bound", .holds(4))
  func one() {
    let function: ActionBinding<(String) -> Void> = binder.bind { SetName(name: $0) }
    function.wrappedValue("1")
    #expect(store.state.name == "1")
  }

  @Test("a function of two parameters is bound", .holds(5))
  func two() {
    let function: ActionBinding<(String, Int) -> Void> = binder.bind { SetName(name: "\($0) \($1)") }
    function.wrappedValue("1", 2)
    #expect(store.state.name == "1 2")
  }

  @Test("a function of three parameters is bound", .holds(6))
  func three() {
    let function: ActionBinding<(String, Int, Float) -> Void> =
      binder.bind { SetName(name: "\($0) \($1) \($2)") }
    function.wrappedValue("1", 2, 3.1)
    #expect(store.state.name == "1 2 3.1")
  }

  @Test("a function of four parameters is bound", .holds(7))
  func four() {
    let function: ActionBinding<(String, Int, Float, Color) -> Void> =
      binder.bind { SetName(name: "\($0) \($1) \($2) \($3)") }
    function.wrappedValue("1", 2, 3.1, .red)
    #expect(store.state.name == "1 2 3.1 red")
  }

  @Test("a function of five parameters is bound", .holds(8))
  func five() {
    let function: ActionBinding<(String, Int, Float, Color, Point) -> Void> =
      binder.bind { SetName(name: "\($0) \($1) \($2) \($3) \($4)") }
    function.wrappedValue("1", 2, 3.1, .red, Point(x: 10, y: 5))
    #expect(store.state.name == "1 2 3.1 red (10.0, 5.0)")
  }

  @Test("a function of six parameters is bound", .holds(9))
  func six() {
    let function: ActionBinding<(String, Int, Float, Color, Point, Bool) -> Void> =
      binder.bind { SetName(name: "\($0) \($1) \($2) \($3) \($4) \($5)") }
    function.wrappedValue("1", 2, 3.1, .red, Point(x: 10, y: 5), true)
    #expect(store.state.name == "1 2 3.1 red (10.0, 5.0) true")
  }
}
