import FluxCore
import TestSupport
import Testing

private struct Number: FluxState, Equatable {
  var value: Int
}

private struct Letters: Action, Equatable {
  let text: String
}

private let double: Reducer<Number> = { number, _ in Number(value: number.value * 2) }
private let square: Reducer<Number> = { number, _ in Number(value: number.value * number.value) }

@Suite("Redux: compose", .cases(of: "reduxjs/redux", "test/compose.spec.ts", at: "3084fc33", count: 6))
struct ComposeTests {
  /// The actions that leave a middleware for one action that enters it.
  private func letters(through middleware: Middleware<Number>) -> [String] {
    let arrived = Recorder<String>()
    let dispatch = middleware({ _ in }, { nil })({ action in
      if let action = action as? Letters { arrived.record(action.text) }
    })
    dispatch(Letters(text: ""))
    return arrived.values
  }

  /// A middleware that adds a letter to the action.
  private func adding(_ letter: String) -> Middleware<Number> {
    { _, _ in
      { next in
        { action in next(Letters(text: ((action as? Letters)?.text ?? "") + letter)) }
      }
    }
  }

  @Test(
    "combined reducers run from left to right",
    .differs(
      1,
      because: """
        The `compose` function of Redux accepts functions of any kind, and calls the last function first. \
        Flux combines only reducers, handlers, and middleware, and calls them in the order in which they \
        are written.
        """))
  func order() {
    let five = Number(value: 5)
    #expect(combine(square)(five, Unknown()) == Number(value: 25))
    #expect(combine(double, square)(five, Unknown()) == Number(value: 100))
    #expect(combine(double, square, double)(five, Unknown()) == Number(value: 200))
  }

  @Test("the first of several combined middleware receives an action first", .holds(2))
  func middleware() {
    let (a, b, c) = (adding("a"), adding("b"), adding("c"))
    #expect(letters(through: combine(a, b, c)) == ["abc"])
    #expect(letters(through: combine(b, c, a)) == ["bca"])
    #expect(letters(through: combine(c, a, b)) == ["cab"])
  }

  @Test("the combination of no middleware passes an action on unchanged", .holds(5))
  func none() {
    #expect(letters(through: combine()) == [""])
  }

  @Test(
    "the combination of one middleware behaves like that middleware",
    .differs(
      6,
      because: "Redux returns the same function. In Swift, the identity of functions cannot be compared."))
  func one() {
    #expect(letters(through: combine(adding("a"))) == letters(through: adding("a")))
  }

  static let meaningless = [
    MeaninglessCase(
      3, "values that are not functions cannot be composed",
      because: "The compiler accepts only values that can be combined."),
    MeaninglessCase(
      4, "the function that runs first can have several parameters",
      because: """
        The types of reducers and middleware determine their parameters. Flux does not compose functions \
        of other types.
        """),
  ]
}
